import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8')
const rows = text.split('\n').filter((line) => /^\| (?:\d|none)/.test(line))
const filesOf = (cell = ''): string[] => [...cell.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, file = '']) => file)

test('docs/security.md has an implementation and a test for each requirement', () => {
  const incomplete = rows.filter((row) => {
    const [, , , implementation, evidence] = row.split('|')
    return filesOf(implementation).length === 0 || filesOf(evidence).length === 0
  })
  expect(rows.length).toBeGreaterThan(30)
  expect(incomplete).toEqual([])
})

test('docs/security.md names files that exist', () => {
  const named = rows.flatMap((row) => row.split('|').slice(3, 5).flatMap(filesOf))
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})
