import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare } from './compare.ts'

const codeOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
const shown = (older: string, newer: string) =>
  compare(older, newer).lines.map(({ kind, text, from, to }) => [kind, from, to, text])

describe('compare', () => {
  test('shows removed and added lines with the line numbers of both versions', () => {
    expect(shown('a\nb\nc\n', 'a\nx\nc\n')).toEqual([
      ['same', 1, 1, 'a'],
      ['removed', 2, undefined, 'b'],
      ['added', undefined, 2, 'x'],
      ['same', 3, 3, 'c'],
    ])
  })

  test('hides unchanged lines more than three lines away from a change', () => {
    const before = ['1', '2', '3', '4', '5', 'x', '6', '7', '8', '9', '10']
    const kinds = compare(codeOf(before), codeOf(before.with(5, 'y'))).lines.map(({ kind }) => kind)
    const around = ['same', 'same', 'same']
    expect(kinds).toEqual(['gap', ...around, 'removed', 'added', ...around, 'gap'])
  })

  test('keeps the unchanged lines that a gap hides, with their numbers', () => {
    const before = ['1', '2', '3', '4', '5', 'x']
    const [gap] = compare(codeOf(before), codeOf(before.with(5, 'y'))).lines
    expect(gap?.hidden.map(({ from, to, text }) => [from, to, text])).toEqual([
      [1, 1, '1'],
      [2, 2, '2'],
    ])
  })

  test.each([
    ['', ''],
    ['a\r\nb', 'a\nb\n'],
  ])('finds no difference between %j and %j', (older, newer) => {
    expect(compare(older, newer)).toMatchObject({ added: 0, removed: 0, isApproximate: false })
  })

  test('truncates a line of 1 MB and reports it', () => {
    const { lines, isCut } = compare('x', 'y'.repeat(1_048_576))
    expect(lines.at(-1)?.text).toHaveLength(401)
    expect(isCut).toBe(true)
  })

  test('falls back to an approximate comparison when the versions have nothing in common', () => {
    const lines = (prefix: string) => codeOf(Array.from({ length: 3000 }, (_, index) => `${prefix}${index}`))
    expect(compare(lines('a'), lines('b'))).toMatchObject({
      isApproximate: true,
      added: 3000,
      removed: 3000,
      isCut: true,
    })
  })

  test('reproduces both versions', () => {
    const code = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 7 })
    fc.assert(
      fc.property(code, code, (older, newer) => {
        const { lines } = compare(codeOf(older), codeOf(newer))
        // A gap replaces lines, so the versions cannot be reproduced.
        if (lines.some(({ kind }) => kind === 'gap')) return
        const without = (kind: string) => lines.filter((line) => line.kind !== kind).map(({ text }) => text)
        expect(without('added')).toEqual(older)
        expect(without('removed')).toEqual(newer)
      }),
    )
  })
})
