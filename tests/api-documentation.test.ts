// What is written by hand about the API, compared with what the server declares.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PER_ADDRESS } from '#server/rate-limits.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Codes with their status, such as `muted 403`, that the server's sources have. */
function findThrownErrors(): Set<string> {
  const files = globSync('server/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const thrown = files
    .flatMap((file) => [...read(file).matchAll(/AppError\(\s*'(\w+)',\s*(\d{3})\b/g)])
    .map(([, code, status]) => `${code} ${status}`)
  const idTokens = [...read('server/features/trusted-publishing/id-token.ts').matchAll(/\brejected\(\s*'(\w+)'/g)]
  return new Set([...thrown, ...idTokens.map(([, reason]) => `id_token_${reason} 400`)])
}

test('each error in the API reference is thrown with its status', () => {
  const described = [...read('web/features/site/api-docs-page.tsx').matchAll(/^ {2}(\w+): '(\d{3}): /gm)].map(
    ([, code, status]) => `${code} ${status}`,
  )
  expect(described).toContain('muted 403')
  const thrown = findThrownErrors()
  expect(described.filter((error) => !thrown.has(error))).toEqual([])
})

test('the guide for operators names the limit of reads', () => {
  const { calls, seconds } = PER_ADDRESS.read
  expect(read('docs/operations.md')).toContain(
    `**The read limit** is ${calls.toLocaleString('en')} calls in ${seconds} seconds per network`,
  )
})
