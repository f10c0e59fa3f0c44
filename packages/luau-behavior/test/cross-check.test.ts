import { expect, test } from 'vitest'
import { compileMany } from '../../../bench/behavior/compile-many.ts'
import { compare, errorOf } from './agreement.ts'
import { makeSnippets } from './luau-snippets.ts'

test('the parser and the compiler agree on what is Luau', async () => {
  const codes = makeSnippets(400, 1)
  const errors = await compileMany(codes)
  const disagreements = codes.flatMap((code, index) => {
    const compiler = errors[index] ?? null
    return compare(code, compiler) === 'disagree' ? [{ code, compiler, parser: errorOf(code) }] : []
  })
  expect(disagreements).toEqual([])
  // Else the snippets would say little.
  const accepted = errors.filter((error) => error === null).length
  expect(accepted).toBeGreaterThan(80)
  expect(accepted).toBeLessThan(320)
})

test('a disagreement is found', () => {
  expect(compare('return 1', null)).toBe('agree')
  expect(compare('return (', 'script:1: Expected identifier')).toBe('agree')
  expect(compare('return (', null)).toBe('disagree')
  expect(compare('return 1', 'script:1: Expected identifier')).toBe('disagree')
  expect(compare('break', 'script:1: break statement must be inside a loop')).toBe('stricter')
})
