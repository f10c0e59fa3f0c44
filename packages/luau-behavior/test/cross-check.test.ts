import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from '../src/parser.ts'
import { compileMany } from './compile-many.ts'
import { compare, errorOf } from './agreement.ts'
import { makePrograms } from './luau-programs.ts'
import { makeSnippets } from './luau-snippets.ts'

const DEMO = path.resolve(import.meta.dirname, '../../../demo/scripts')

/** The tree of a program without its lines. */
const treeOf = (code: string): string =>
  JSON.stringify(parse(Buffer.from(code).toString('latin1')).main, (key, value: unknown) =>
    key === 'line' || key === 'endLine' ? undefined : value,
  )

test('programs that use all syntax are parsed if they compile, and types change nothing', async () => {
  const programs = makePrograms(1200, 1)
  const errors = await compileMany(programs.map(({ typed }) => typed))
  const compiling = programs.filter((_program, index) => errors[index] === null)
  expect(compiling.length).toBeGreaterThan(1000)
  const wrong = compiling.filter(({ typed, plain }) => errorOf(typed) !== null || treeOf(typed) !== treeOf(plain))
  expect(wrong).toEqual([])
})

/** Luau's parser counts 1,000 of each of these, and its compiler fewer of some. */
const NESTED: Record<string, (depth: number) => string> = {
  parentheses: (depth) => `x = ${'('.repeat(depth)}1${')'.repeat(depth)}`,
  tables: (depth) => `x = ${'{'.repeat(depth)}${'}'.repeat(depth)}`,
  functions: (depth) => `x = ${'function() return '.repeat(depth)}1${' end'.repeat(depth)}`,
  blocks: (depth) => `${'do '.repeat(depth)}${' end'.repeat(depth)}`,
  conditions: (depth) => `${'if a then '.repeat(depth)}${' end'.repeat(depth)}`,
  'alternative conditions': (depth) => `if a then ${'elseif b then '.repeat(depth)} end`,
  'alternative values': (depth) => `x = if a then b ${'elseif b then c '.repeat(depth)} else d`,
  'nested values': (depth) => `x = ${'if a then b else '.repeat(depth)} d`,
  additions: (depth) => `x = 1${' + 1'.repeat(depth)}`,
  powers: (depth) => `x = 2${' ^ 2'.repeat(depth)}`,
  alternatives: (depth) => `x = a${' and b'.repeat(depth)}`,
  fields: (depth) => `x = a${'.b'.repeat(depth)}`,
  calls: (depth) => `a${':b()'.repeat(depth)}`,
  'interpolated strings': (depth) => `x = ${'`{'.repeat(depth)}1${'}`'.repeat(depth)}`,
  types: (depth) => `local x: ${'{'.repeat(depth)}${'}'.repeat(depth)}`,
  'function types': (depth) => `local x: ${'() -> '.repeat(depth)}()`,
}

test.each(Object.entries(NESTED))('code that is nested as deeply as compiles is parsed: %s', async (_, nest) => {
  const codes = [80, 120, 250, 498, 990].map((depth) => nest(depth))
  const errors = await compileMany(codes)
  expect(codes.filter((code, index) => errors[index] === null && errorOf(code) !== null)).toEqual([])
  expect(errors[0]).toBeNull()
})

test('the demo scripts are parsed if they compile', async () => {
  const files = readdirSync(DEMO).filter((file) => /\.luau?$/.test(file))
  const codes = files.map((file) => readFileSync(path.join(DEMO, file), 'utf8'))
  const errors = await compileMany(codes)
  expect(files.filter((_file, index) => errors[index] === null && errorOf(codes[index] ?? '') !== null)).toEqual([])
  expect(errors.filter((error) => error === null).length).toBeGreaterThan(30)
})

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
