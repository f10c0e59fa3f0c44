import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StorageLocation } from '#server/platform/config/storage.ts'
import { startS3 } from '#tests/support/s3.ts'

const PROGRAM = path.join(import.meta.dirname, 'wal-process.ts')

function startProgram(args: string[], location: StorageLocation, limit = 'unlimited') {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn('sh', ['-c', `ulimit -f ${limit}; exec "$@"`, 'sh', process.execPath, PROGRAM, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, WAL_LOCATION: JSON.stringify(location) },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { child, ended }
}

const runProgram = (...args: Parameters<typeof startProgram>) => startProgram(...args).ended

const NAME = '0000000100000000000000FE'
let folder: string
let segment: string
let archive: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-wal-'))
  archive = path.join(folder, 'archive')
  segment = path.join(folder, 'segment')
  const bytes = randomBytes(16 * 1024 * 1024)
  bytes.writeBigUInt64LE(42n, 24)
  await writeFile(segment, bytes)
})
afterEach(() => rm(folder, { recursive: true, force: true }))
const stored = () => path.join(archive, 'wal', `${NAME}.gz`)

test('stores a file once, and never replaces one with other content', async () => {
  expect(await runProgram(['archive', segment, NAME], archive)).toEqual({ code: 0, output: '' })
  const first = await readFile(stored())
  expect(await runProgram(['archive', segment, NAME], archive)).toMatchObject({ code: 0 })
  const bytes = await readFile(segment)
  bytes[5000] = (bytes[5000] ?? 0) ^ 1
  await writeFile(segment, bytes)
  const { code, output } = await runProgram(['archive', segment, NAME], archive)
  expect([code, output]).toEqual([
    1,
    `WAL archive: ${archive} has another file wal/${NAME}.gz. Set WAL_ARCHIVE to a new place.\n`,
  ])
  expect((await readFile(stored())).equals(first)).toBe(true)
}, 90_000)

test('stores no file of another database', async () => {
  await mkdir(path.join(archive, 'wal'), { recursive: true })
  await writeFile(path.join(archive, 'wal/cluster.json'), '{"system_identifier":"7"}')
  const { code, output } = await runProgram(['archive', segment, NAME], archive)
  expect([code, output]).toEqual([1, expect.stringMatching(/has the WAL archive of another database/)])
  expect(existsSync(stored())).toBe(false)
})

test('leaves no part of a file if the disk is full or it is killed', async () => {
  const full = await runProgram(['archive', segment, NAME], archive, '2000')
  expect(full).toEqual({ code: 1, output: `WAL archive: There is no room in ${archive}. Free some space.\n` })
  expect(readdirSync(path.join(archive, 'wal'))).toEqual(['cluster.json'])
  const { child, ended } = startProgram(['archive', segment, NAME], archive)
  const isWriting = () => readdirSync(path.join(archive, 'wal')).some((file) => file.endsWith('.draft'))
  while (!isWriting() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1))
  child.kill('SIGKILL')
  expect((await ended).code).toBeNull()
  expect(existsSync(stored())).toBe(false)
  expect(await runProgram(['archive', segment, NAME], archive)).toMatchObject({ code: 0 })
  await rm(segment)
  expect(await runProgram(['fetch', NAME, segment], archive)).toMatchObject({ code: 0 })
  expect((await readFile(segment)).length).toBe(16 * 1024 * 1024)
}, 90_000)

test('tells a missing file from storage that cannot be reached', async () => {
  const s3 = await startS3()
  const location = { ...s3.settings, prefix: 'wal' }
  expect(await runProgram(['archive', segment, NAME], location)).toMatchObject({ code: 0 })
  expect(s3.keys().toSorted()).toEqual([`wal/wal/${NAME}.gz`, 'wal/wal/cluster.json'])
  expect(await runProgram(['fetch', NAME, segment], location)).toMatchObject({ code: 0 })
  expect(await runProgram(['fetch', '0000000100000000000000FF', segment], location)).toMatchObject({ code: 1 })
  await s3.close()
  expect(await runProgram(['fetch', NAME, segment], location)).toMatchObject({ code: 200 })
  expect(await runProgram(['fetch', '../../etc/passwd', segment], location)).toMatchObject({ code: 200 })
}, 90_000)
