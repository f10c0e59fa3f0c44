import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findProgram } from './load-program.ts'

const BUNDLE = 'dist/processes/worker-process.js'
const SOURCE = 'server/operations/processes/worker-process.ts'
const FOLDERS = ['dist/processes', 'contract', 'server/operations/processes', 'packages/markdown/src']

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-programs-'))
  for (const name of FOLDERS) mkdirSync(path.join(folder, name), { recursive: true })
  for (const name of [SOURCE, BUNDLE, 'package-lock.json']) write(name, 1000)
  for (const name of [
    'contract',
    'server',
    'server/operations',
    'server/operations/processes',
    'packages/markdown/src',
  ])
    setTime(name, 1000)
  setTime(BUNDLE, 2000)
})
afterEach(() => rmSync(folder, { recursive: true }))

const setTime = (name: string, seconds: number) => utimesSync(path.join(folder, name), seconds, seconds)

/** Writes a file at a time in seconds, without a change of its folder's time. */
function write(name: string, seconds: number): void {
  writeFileSync(path.join(folder, name), '')
  setTime(name, seconds)
  setTime(path.dirname(name), 1000)
}

const find = (environment = 'production') =>
  path.relative(folder, findProgram('worker-process', { folder, environment }))

test('production runs the bundle, other environments run the sources', () => {
  expect([find(), find('development'), find('')]).toEqual([BUNDLE, SOURCE, SOURCE])
})

test.each(['package-lock.json', 'contract/text.ts', SOURCE, 'packages/markdown/src/index.ts'])(
  'a newer %s makes it run from the sources',
  (name) => {
    write(name, 1999)
    expect(find()).toBe(BUNDLE)
    write(name, 2001)
    expect(find()).toBe(SOURCE)
  },
)

test('a removed source makes it run from the sources, and a newer test does not', () => {
  write('server/operations/processes/worker.test.ts', 2001)
  expect(find()).toBe(BUNDLE)
  setTime('server/operations/processes', 2001)
  expect(find()).toBe(SOURCE)
})

test('it runs from the sources without a bundle', () => {
  rmSync(path.join(folder, 'dist'), { recursive: true })
  expect(find()).toBe(SOURCE)
})
