import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { highlightLuau } from './highlight-luau.ts'
import { makePreview, previewText } from './code-preview.ts'

// The first calls compile the grammar, which can take longer than the time limit of a line.
beforeAll(() => {
  for (let i = 0; i < 5; i++) highlightLuau(makePreview('local function add(a: number) -- sum\n  return 1 .. "x"\nend'))
})

test('classifies Luau tokens', () => {
  const { lines } = highlightLuau(makePreview('local function add(a: number) -- sum\n  return 1 .. "x"\nend'))
  expect(lines).toHaveLength(3)
  const kinds = Object.fromEntries(lines.flat().map(([kind, text]) => [text.trim(), kind]))
  expect(kinds).toMatchObject({
    'local function': 'keyword',
    add: 'function',
    a: 'parameter',
    number: 'constant',
    '-- sum': 'comment',
    '"x"': 'string',
    end: 'keyword',
  })
})

test('preserves the code', () => {
  const piece = fc.constantFrom(
    'local ',
    'x',
    ' = ',
    '"',
    '[[',
    ']]',
    '--',
    '--[==[',
    '`{',
    '}',
    '(',
    '\n',
    '\t',
    '🎮',
    '\u202e',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
      const preview = makePreview(parts.join(''))
      expect(previewText(highlightLuau(preview).lines)).toBe(previewText(preview.lines))
    }),
  )
})
