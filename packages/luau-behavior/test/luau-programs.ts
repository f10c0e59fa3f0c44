// Programs that use all syntax of Luau, from a seed. Each is made twice: with and without what changes nothing when it runs.
import fc from 'fast-check'

/** A program with types, attributes and type functions, and the same without them. */
export interface Program {
  typed: string
  plain: string
}

type Piece = fc.Arbitrary<Program>
type Part = string | Piece

const both = (text: string): Program => ({ typed: text, plain: text })
const piece = (part: Part): Piece => (typeof part === 'string' ? fc.constant(both(part)) : part)
const glue = (parts: readonly Program[], separator: string): Program => ({
  typed: parts.map(({ typed }) => typed).join(separator),
  plain: parts.map(({ plain }) => plain).join(separator),
})
const join = (...parts: Part[]): Piece => fc.tuple(...parts.map(piece)).map((all) => glue(all, ' '))
const tight = (...parts: Part[]): Piece => fc.tuple(...parts.map(piece)).map((all) => glue(all, ''))
const oneOf = (...parts: Part[]): Piece => fc.oneof({ maxDepth: 4, depthSize: 'small' }, ...parts.map(piece))
const list = (part: Piece, separator: string, minLength = 0, maxLength = 3): Piece =>
  fc.array(part, { minLength, maxLength }).map((all) => glue(all, separator))
/** What is only in the program with types. */
const only = (...parts: Part[]): Piece => join(...parts).map(({ typed }) => ({ typed, plain: '' }))
const maybe = (part: Piece): Piece => oneOf('', part)

const NAMES = ['a', 'b', 'x1', '_', 'self', 'type', 'export', 'typeof', 'continue', 'read', 'write', 'const', 'declare']
/** Not `type` and the like, which begin statements of their own before another name. */
const plainName = oneOf('a', 'b', 'x1', '_', 'self', 'game')
const name = oneOf(...NAMES)
const TEXTS = ['"text"', "'a\\n\\x41\\u{48}\\065'", '"\\z  \n  text"', '"a\\\nb"', '[[long\n]]', '[==[ ]] ]==]']
const NUMBERS = ['0', '1', '.5', '5.', '1e3', '1E-3', '0xFF', '0X_ff', '0b1_01', '1_000_000', '08', '1_e1_0']
const OPERATORS = '+ - * / // % ^ .. == ~= < <= > >= and or'.split(' ')
const COMPOUND = '= += -= *= /= //= %= ^= ..='.split(' ')
const COMMENTS = ['-- comment\n', '--[[ comment\n]]', '--[==[ ]] ]==]', '--[ comment\n', '\n', '\t', '\r\n']

const { statement } = fc.letrec<Record<'type' | 'value' | 'target' | 'statement' | 'block', Program>>((tie) => {
  const type = tie('type')
  const value = tie('value')
  const block = tie('block')
  const types = list(type, ', ', 1)
  const pack = oneOf('...number', 'T...', '()', join('(', types, ')'), type)
  const generics = maybe(oneOf(only('<T>'), only('<T, U>'), only('<T, U...>'), only('<U...>')))
  const annotation = maybe(only(':', type))
  const parameters = join(list(join(name, annotation), ', '), oneOf('', '')).chain((first) =>
    maybe(join(first.plain.trim() === '' ? '...' : ', ...', maybe(oneOf(only(':', type), only(': T...'))))).map(
      (rest) => glue([first, rest], ''),
    ),
  )
  const functionBody = join(generics, '(', parameters, ')', maybe(only(':', pack)), '\n', block, 'end')
  const attribute = oneOf(
    '@native',
    '@checked',
    '@deprecated',
    '@[native]',
    '@[native, checked]',
    '@[deprecated { use = "b", reason = "old" }]',
    '@[deprecated { use = "b" }, native]',
  )
  const attributes = maybe(only(list(attribute, ' ', 1, 1)))
  const callArguments = oneOf(
    tight('(', list(value, ', '), ')'),
    join(oneOf(...TEXTS), ''),
    tight('{', list(value, ', '), '}'),
  )
  const instantiation = maybe(only(tight('<<', types, '>>')))
  const field = oneOf(value, join(name, '=', value), tight('[ ', value, '] = ', value))
  const interpolated = tight(
    '`',
    list(oneOf('text', '\\{', '\\`', '\\n', '\\\n', tight('{ ', value, '}'), tight('{\n', value, '\n}')), ''),
    '`',
  )
  const call = join(
    oneOf(tie('target'), join('(', value, ')')),
    oneOf(tight(instantiation, callArguments), tight(':', name, instantiation, callArguments)),
  )
  return {
    type: oneOf(
      'number',
      'a.b',
      'nil',
      'true',
      '"text"',
      '[[x]]',
      '{}',
      'a.B<()>',
      'T<number, (A, B), ...C>',
      '{ read a: number, write b: string; [string]: any }',
      '{ read: number, write: string }',
      '{ read [number]: T }',
      '{ ["key"]: T }',
      '(() -> ())',
      '((a: number, b: T, ...C) -> (number, ...string))',
      '(<T, U...>(T, U...) -> U...)',
      join('{', type, '}'),
      join('{ a:', type, ', b:', type, '}'),
      join('typeof(', value, ')'),
      join('(', type, ')'),
      join('(', type, ')?'),
      join('((', type, ') | (', type, '))?'),
      join('((', type, ') & (', type, '))'),
      join('(|', type, ')'),
      join('((', types, ') -> (', types, '))'),
      join('A<', pack, '>'),
    ),
    value: oneOf(
      name,
      ...NUMBERS,
      ...TEXTS,
      'nil',
      'true',
      'function(...) return ..., (...) end',
      interpolated,
      tie('target'),
      call,
      join(oneOf('not', '-', '#'), value),
      join('(', value, ')'),
      join('(', value, only('::', type), ')'),
      join(value, oneOf(...OPERATORS), '(', value, ')'),
      join('if', value, 'then', value, 'elseif', value, 'then', value, 'else', value),
      join('if', value, 'then', value, 'else', value),
      join('{', list(field, ', '), maybe(fc.constant(both(''))), '}'),
      join('{', list(field, '; ', 1), ', }'),
      join(attributes, 'function', functionBody),
    ),
    target: oneOf(
      name,
      tight(tie('target'), '.', name),
      tight(tie('target'), '[ ', value, ']'),
      join('(', value, ').', name),
    ),
    statement: oneOf(
      join(tie('target'), oneOf(...COMPOUND), value),
      join(list(tie('target'), ', ', 1), '=', list(value, ', ', 1)),
      join('local', list(join(name, annotation), ', ', 1), '=', list(value, ', ', 1)),
      join('local', list(join(name, annotation), ', ', 1)),
      join(oneOf(fc.constant({ typed: 'const', plain: 'local' }), 'local'), plainName, annotation, '=', value),
      call,
      join('if', value, 'then', block, 'elseif', value, 'then', block, 'else', block, 'end'),
      join('if', value, 'then', block, 'end'),
      join('while', value, 'do', block, oneOf('break', 'continue', 'continue;', ''), 'end'),
      join('repeat', block, 'until', value),
      join('for', name, annotation, '=', value, ',', value, ',', value, 'do', block, 'end'),
      join('for', list(join(name, annotation), ', ', 1), 'in', list(value, ', ', 1), 'do', block, 'end'),
      join('do', block, oneOf('', join('return', list(value, ', ')), 'return;'), 'end'),
      join(attributes, 'function', tight(list(name, '.', 1), maybe(tight(':', name))), functionBody),
      join(attributes, 'local function', name, functionBody),
      only(
        oneOf('type', 'export type'),
        oneOf('T', 'F<A>', 'F<A, B = number>', 'F<A...>', 'F<A, B... = ...number>', 'G<A... = (number, string)>'),
        '=',
        type,
      ),
      only(
        oneOf('type', 'export type'),
        'function f(a, b) local c = a:is("x") if c then return',
        oneOf('a', 'b'),
        'end return b end',
      ),
      join(oneOf(...COMMENTS), tie('statement')),
      'continue(1)',
      'continue = 1',
      'type = 2',
      'type "text"',
      'export.type()',
      'type.x, const.y = 1, 2',
      'const()',
    ),
    block: fc.array(tie('statement'), { maxLength: 4 }).map((all) => glue(all, ';\n')),
  }
})

/** The same programs for the same seed. */
export const makePrograms = (count: number, seed: number): Program[] =>
  fc.sample(
    fc.array(statement, { minLength: 1, maxLength: 8 }).map((all) => glue(all, ';\n')),
    { numRuns: count, seed },
  )
