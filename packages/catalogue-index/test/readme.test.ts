import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import { DEFAULT_TUNING } from '../src/schema.ts'

const folder = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')

test('the README shows the example, which prints what its comments say', async () => {
  const example = read('examples/books.ts')
  expect(read('README.md')).toContain(`\`\`\`ts\n${example}\`\`\``)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import('../examples/books.ts')
  const printed = log.mock.calls.map(([value]) => inspect(value))
  log.mockRestore()
  const promised = [...example.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, comment]) => comment)
  expect(promised).toHaveLength(5)
  expect(printed).toEqual(promised)
})

test('the README lists every module and every threshold', () => {
  const readme = read('README.md')
  const modules = readdirSync(path.join(folder, 'src'))
    .map((file) => path.basename(file, '.ts'))
    .filter((name) => !['index', 'testing'].includes(name))
  const thresholds = Object.keys(DEFAULT_TUNING)
  expect(thresholds.length).toBeGreaterThan(15)
  const missing = [...modules, ...thresholds].filter((name) => !readme.includes(`\`${name}`))
  expect(missing).toEqual([])
})
