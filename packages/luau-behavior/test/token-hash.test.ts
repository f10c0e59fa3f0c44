import { expect, test } from 'vitest'
import { hashTokens } from '../src/token-hash.ts'

/** Lines that make any script long enough for a hash. */
const FILLER = Array.from({ length: 12 }, (_, index) => `print("line ${index}", workspace.Part${index}.Position)`).join(
  '\n',
)
const hash = (code: string): string | null => hashTokens(`${code}\n${FILLER}`)

const EQUAL: [name: string, one: string, other: string][] = [
  ['comments and layout', 'local a = 1 -- note\nprint(a)', '--[[ other ]] local a=1\n\n\tprint( a )'],
  ['names of locals', 'local a, b = 1, 2 print(a + b)', 'local x, y = 1, 2 print(x + y)'],
  ['a name that another local had', 'local a, b = 1, 2 print(a - b)', 'local b, a = 1, 2 print(b - a)'],
  ['shadowing', 'local a = 1 do local a = a print(a) end print(a)', 'local a = 1 do local b = a print(b) end print(a)'],
  [
    'upvalues',
    'local n = 0 local function f() n += 1 end f()',
    'local count = 0 local function add() count += 1 end add()',
  ],
  ['the condition of repeat', 'repeat local x = f() until x', 'repeat local done = f() until done'],
  ['numeric for', 'for i = 1, 3 do print(i) end', 'for index = 1, 3 do print(index) end'],
  ['generic for', 'for k, v in pairs(t) do print(k, v) end', 'for _, item in pairs(t) do print(_, item) end'],
  ['parameters', 'f(function(a, ...) return a, ... end)', 'f(function(first, ...) return first, ... end)'],
  [
    'methods',
    'local M = {} function M:f(a) return self, a end',
    'local Class = {} function Class:f(x) return self, x end',
  ],
  ['names with types', 'local a: number = 1 print(a :: any)', 'local b: number = 1 print(b :: any)'],
  ['typeof', 'local a = 1 type T = typeof(a)', 'local b = 1 type T = typeof(b)'],
  ['interpolated strings', 'local a = 1 print(`x {a} y`)', 'local b = 1 print(`x { b } y`)'],
  ['quotes and escapes', String.raw`print("it's \65")`, String.raw`print('it\'s A')`],
  ['long strings', 'print([[text]])', 'print("text")'],
  ['bases of numbers', 'print(0x10, 1e3, 1_000)', 'print(16, 1000, 1000)'],
  ['calls without brackets', 'f"a" g{ b = 1 } h:i"c"{}', 'f("a") g({ b = 1 }) h:i("c")({})'],
  ['separators of tables', 'f({ 1; 2, 3; })', 'f({ 1, 2, 3 })'],
  ['semicolons', 'local a = 1; f();; do return; end;', 'local a = 1 f() do return end'],
]

test.each(EQUAL)('%s do not count', (_name, one, other) => {
  expect(hash(one)).toMatch(/^[\da-f]{64}$/)
  expect(hash(one)).toBe(hash(other))
})

const DIFFERENT: [name: string, one: string, other: string][] = [
  ['a number', 'print(1)', 'print(2)'],
  ['a large number', 'print(0x20000000000001)', 'print(0x20000000000000)'],
  ['a string', 'print("a")', 'print("b")'],
  ['a string and a number', 'print("1")', 'print(1)'],
  ['a global', 'foo(1)', 'bar(1)'],
  ['a field', 'local a = {} print(a.x)', 'local a = {} print(a.y)'],
  ['a key of a table', 'f({ a = 1 })', 'f({ b = 1 })'],
  ['a method', 'f:a()', 'f:b()'],
  ['which local is meant', 'local a, b = 1, 2 print(a)', 'local a, b = 1, 2 print(b)'],
  ['a local and a global', 'local a = 1 print(a)', 'local a = 1 print(b)'],
  ['a value that its own local hides', 'local a = 1 local a = a print(a)', 'local a = 1 local b = a print(a)'],
  ['a local function that calls itself', 'local function f() f() end', 'local f = function() f() end'],
  ['a local outside of its block', 'do local a = 1 end print(a)', 'do local b = 1 end print(b)'],
  ['the range of a loop', 'local i = 1 for i = i, 2 do f(i) end', 'local i = 1 for j = 1, 2 do f(i) end'],
  ['self and a parameter', 'function M:f(a) return self end', 'function M.f(self, a) return self end'],
  ['an operator', 'local a = 1 print(a + 1)', 'local a = 1 print(a - 1)'],
  ['a type', 'local a: number = 1', 'local a: string = 1'],
  ['a semicolon before a bracket', 'local a = f; (g)()', 'local a = f (g)()'],
  ['a separator before an operator', 'f({ a; -b })', 'f({ a - b })'],
  ['an interpolated string and its text', 'print(`a{b}c`)', 'print(`abc`)'],
]

test.each(DIFFERENT)('%s counts', (_name, one, other) => {
  expect(hash(one)).not.toBe(hash(other))
})

test('names count in a script that does not parse', () => {
  expect(hash('local a = = 1')).toBe(hash('local  a = = 1 -- note'))
  expect(hash('local a = = 1')).not.toBe(hash('local b = = 1'))
  expect(hash('local a = "open')).toMatch(/^[\da-f]{64}$/)
})

test('short scripts have no hash', () => {
  expect(hashTokens('')).toBeNull()
  expect(hashTokens('f()\n'.repeat(20))).toBeNull()
  const line = 'local value = workspace.Part.Position.X + 1 '
  expect(hashTokens(line.repeat(6))).toBeNull()
  expect(hashTokens(line.repeat(6).replaceAll(' local', '\nlocal'))).toBeNull()
  expect(hashTokens(`${line}\n`.repeat(10))).not.toBeNull()
  expect(hashTokens(`${line}\n`.repeat(10))).toBe(hashTokens(line.repeat(10)))
})

test('a name of a local changes nothing about the length', () => {
  const code = 'local a = f(a)\n'.repeat(9)
  expect(hashTokens(code.replaceAll(/\ba\b/g, 'name_with_forty_characters'))).toBeNull()
})

const MIB = 1 << 20
const fill = (part: string): string => part.repeat(MIB / part.length)

test.each([
  ['code', fill('local function f(a, b) for i = a, b do print(i, "text") end end\n')],
  ['open brackets', fill('(')],
  ['open tables', fill('{')],
  ['nested blocks', fill('do ')],
  ['quotes', fill('"\n')],
  ['nested functions', fill('f(function() ')],
  ['a chain of calls', fill('f"a"')],
])('1 MiB of %s takes less than a second', (_name, code) => {
  const start = process.threadCpuUsage()
  hashTokens(code)
  expect(process.threadCpuUsage(start).user).toBeLessThan(1_000_000)
})
