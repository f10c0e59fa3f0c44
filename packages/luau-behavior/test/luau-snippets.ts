// Snippets of Luau, right and wrong, from a seed: made by a grammar, and repository files with a token changed.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'

const FOLDER = path.resolve(import.meta.dirname, '../../../demo/scripts')
const MAX_FILE = 6000

const join = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(' '))
const list = (part: fc.Arbitrary<string>, separator: string, minLength = 0): fc.Arbitrary<string> =>
  fc.array(part, { minLength, maxLength: 3 }).map((texts) => texts.join(` ${separator} `))

const name = fc.constantFrom('a', 'b', 'self', 'type', 'export', 'typeof', '_x9', 'nil', 'end')
const operator = fc.constantFrom(...'+ - * / // % ^ .. == ~= < <= > >= and or != && ='.split(' '))
const assignment = fc.constantFrom(...'= += -= *= /= //= %= ^= ..= =='.split(' '))
const literal = fc.constantFrom(
  ...'nil true 1 0x1F 0b11 1e5 1_000 0x 0b12 1e 3..4 .5 5. 08 1__ "a" \'b\' "\\x41" "\\xZ" "\\u{48}" "\\u{110000}" "\\300" "\\z  x"'.split(
    /(?<!z) (?! )/,
  ),
  '[[a\nb]]',
  '[==[a]]]==]',
  '[==[a]]',
  '"a\\\nb"',
  '"a\nb"',
  '"open',
  '`a{1}b`',
  '`{`{1}`}`',
  '`{}`',
  '`{{1}}`',
  '`\\{1`',
  '--[[x]] 1',
  '...',
)

const { block, expression, statement } = fc.letrec<
  Record<'block' | 'expression' | 'statement' | 'type' | 'target', string>
>((tie) => {
  const values = list(tie('expression'), ',')
  const body = tie('block')
  const parameters = fc.constantFrom('', 'a', 'a, b', 'a: number, ...: any', '...', 'a = 1', '..., a', 'a,')
  const condition = tie('expression')
  return {
    block: fc.array(tie('statement'), { maxLength: 3 }).map((texts) => texts.join('\n')),
    type: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc.constantFrom(
        'number',
        'a.b',
        '"x"',
        'nil',
        '{}',
        '{ a: number, [string]: any }',
        'typeof(a)',
        '(a: b) -> ...c',
        '<T>(T) -> T',
      ),
      fc.constantFrom('()', '(a, b)', '...a', 'a<b, c>', '{ read a: b }', '1', 'a<>', '{ a }?', 'true', '(a)'),
      join(tie('type'), fc.constantFrom('|', '&'), tie('type')),
      join(tie('type'), '?'),
      join('(', tie('type'), ') ->', tie('type')),
    ),
    target: fc.oneof(name, fc.constantFrom('a.b', 'a[1]', 'f().x', 'f()', '(a)', 'a:b', 'a.b.c', '"x"', '("x").y')),
    expression: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      name,
      literal,
      tie('target'),
      join(tie('expression'), operator, tie('expression')),
      join(fc.constantFrom('not', '-', '#', '+', '~'), tie('expression')),
      join('(', tie('expression'), ')'),
      join(tie('target'), '(', values, ')'),
      join('function(', parameters, ')', body, 'end'),
      join(
        '{',
        list(fc.oneof(tie('expression'), join('a =', tie('expression')), join('[', tie('expression'), '] = 1')), ','),
        '}',
      ),
      join('if', condition, 'then', tie('expression'), 'else', tie('expression')),
      join('if', condition, 'then', tie('expression')),
      join(tie('expression'), '::', tie('type')),
    ),
    statement: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      join(tie('target'), assignment, values),
      join(list(tie('target'), ',', 1), '=', list(tie('expression'), ',', 1)),
      join('local', list(name, ',', 1), '=', list(tie('expression'), ',', 1)),
      join('local a:', tie('type'), '=', tie('expression')),
      join('local a <const> =', tie('expression')),
      join(tie('target'), '(', values, ')'),
      fc.constantFrom(
        'f"x"',
        'f{1}',
        'a:b()',
        'a:b"x"',
        'a:b',
        'f\n(1)',
        'break',
        'continue',
        'continue = 1',
        'local continue = 2',
        'continue()',
        'return continue',
        'a = if continue then continue else continue',
        'a = if a then function() if a then continue else continue end end else continue + 1',
        'while a[1] do if a then continue elseif b then continue else continue end end',
        'repeat a = {if a then if b then continue else a else continue} continue until continue',
        'const a = 1',
        'const a',
        'f<<number>>(1)',
        'a = b:c<<T, U>>(1) < <T>',
        '@[native] function f() end',
        '@[deprecated { use = "b" }, native] local function f() end',
        '@[native local function f() end',
        'type function F(t) return t end',
        'export type function F() return',
        'goto x',
        '::x::',
        ';',
        'return',
        'f();',
      ),
      join('return', values),
      join('if', condition, 'then', body, 'elseif', condition, 'then', body, 'else', body, 'end'),
      join('while', condition, 'do', body, 'end'),
      join('repeat', body, 'until', condition),
      join('for a = 1,', list(tie('expression'), ',', 1), 'do', body, 'end'),
      join('for a, b in', list(tie('expression'), ',', 1), 'do', body, 'end'),
      join('do', body, 'end'),
      join(
        fc.constantFrom('', 'local', '@native', '@checked local', '@foo'),
        'function f(',
        parameters,
        ')',
        body,
        'end',
      ),
      join('function a.b:c(', parameters, '):', tie('type'), body, 'end'),
      join(fc.constantFrom('', 'export'), 'type T<A> =', tie('type')),
    ),
  }
})

/** Repository files as pieces of text: words, numbers, strings, comments, space, and other characters. */
const sources: string[][] = readdirSync(FOLDER)
  .filter((file) => /\.luau?$/.test(file))
  .toSorted()
  .map((file) => readFileSync(path.join(FOLDER, file), 'utf8').slice(0, MAX_FILE))
  .map((code) => code.match(/[A-Za-z_]\w*|\d[\w.]*|"[^"\n]*"|\s+|--[^\n]*|[^\sA-Za-z_\d]/g) ?? [])

const mutation = fc
  .tuple(
    fc.constantFrom(...sources),
    fc.nat(),
    fc.constantFrom('delete', 'double', 'swap', 'replace'),
    fc.constantFrom(
      ...'end ( ) { } [ ] = == , . .. : :: ; function local return then do if " [[ ]] ` ? -> ... 1 x break continue'.split(
        ' ',
      ),
    ),
  )
  .map(([tokens, offset, kind, substitute]) => {
    const index = offset % Math.max(tokens.length, 1)
    const token = tokens[index] ?? ''
    const changed = {
      delete: [],
      double: [token, ' ', token],
      swap: [tokens[index + 1] ?? '', ' ', token],
      replace: [substitute],
    }[kind]
    return tokens.toSpliced(index, kind === 'swap' ? 2 : 1, ...changed).join('')
  })

/** The same snippets for the same seed. */
export const makeSnippets = (count: number, seed: number): string[] =>
  fc.sample(fc.oneof(block, statement, join('return', expression), mutation), { numRuns: count, seed })
