import { describe, expect, test } from 'vitest'
import { matchPattern, PatternError } from '../src/patterns.ts'
import { PURE } from '../src/pure.ts'
import { Table } from '../src/values.ts'

const call = (name: string, ...args: (string | number | null)[]) => PURE[name]?.(args)

describe('patterns', () => {
  test.each<[string, string, (string | number)[] | undefined]>([
    ['hello world', '(%w+) (%w+)', ['hello', 'world']],
    ['key = value', '^(%w+)%s*=%s*(%w+)$', ['key', 'value']],
    ['[[x]]', '%b[]', ['[[x]]']],
    ['THE (quick) fox', '%((%a+)%)', ['quick']],
    ['abc', '()b()', [2, 3]],
    ['aXb', '%u', ['X']],
    ['a.b', '%.', ['.']],
    ['x-y', '[%-]', ['-']],
    ['2026-11-22', '(%d+)-(%d+)-(%d+)', ['2026', '11', '22']],
    ['"quoted"', '(["\']).-%1', ['"']],
    ['foo123', '%f[%d]%d+', ['123']],
    ['abc', '[^a-b]', ['c']],
    ['abc', 'd', undefined],
  ])('%s matches %s', (text, pattern, captures) => {
    expect(matchPattern(text, pattern, 0)?.captures).toEqual(captures)
  })

  test.each(['%', '[a', 'a)', '%1'])('%s is malformed', (pattern) => {
    expect(() => matchPattern('a', pattern, 0)).toThrow(PatternError)
  })

  test('that take too long end with an error', () => {
    expect(() => matchPattern('a'.repeat(5_000), `${'a*'.repeat(30)}b`, 0)).toThrow(PatternError)
  })
})

describe('library functions', () => {
  test.each<[string, (string | number | null)[], unknown[]]>([
    ['string.sub', ['hello', 2, -2], ['ell']],
    ['string.sub', ['hello', -3], ['llo']],
    ['string.byte', ['AB', 1, -1], [65, 66]],
    ['string.byte', ['AB'], [65]],
    ['string.rep', ['ab', 3, ','], ['ab,ab,ab']],
    ['string.format', ['%5.1f|%-4s|%x|%%', 2.5678, 'a', 255], ['  2.6|a   |ff|%']],
    ['string.find', ['hello', 'l'], [3, 3]],
    ['string.find', ['a.b', '.', 1, null], [1, 1]],
    ['string.match', ['key=val', '(%w+)=(%w+)'], ['key', 'val']],
    ['tonumber', ['0xff'], [255]],
    ['tonumber', ['z'], [null]],
    ['tonumber', ['ff', 16], [255]],
    ['tostring', [1e22], ['1e+22']],
    ['tostring', [2 ** 53], ['9007199254740992']],
    ['tostring', [0.1], ['0.1']],
    ['bit32.bxor', [255, 15], [240]],
    ['bit32.bnot', [0], [4_294_967_295]],
    ['bit32.rshift', [256, 4], [16]],
    ['bit32.lrotate', [2_147_483_648, 1], [1]],
    ['bit32.extract', [240, 4, 4], [15]],
    ['math.floor', [-1.5], [-2]],
    ['utf8.char', [233], ['Ã©']],
  ])('%s of %s', (name, args, expected) => {
    expect(call(name, ...args)).toEqual(expected)
  })

  test('string.split returns a list', () => {
    const [list] = call('string.split', 'a,b', ',') ?? []
    expect(list instanceof Table && [...list.entries.values()]).toEqual(['a', 'b'])
  })
})
