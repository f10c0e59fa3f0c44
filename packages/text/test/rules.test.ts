import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  codeProblem,
  decodeCode,
  foldTag,
  isDay,
  isReservedName,
  normalizeCode,
  parseDayOrTime,
  skeletonOf,
} from '@scriptyard/text'
import { hostile } from './hostile.ts'

describe('foldTag', () => {
  test.each([
    ['  Two   Words ', 'two words'],
    ['##Fast', 'fast'],
    ['＃ＥＳＰ', 'esp'],
    ['es\u200Bp', 'esp'],
    ['esp\uFE0F\u00AD\u202E', 'esp'],
    ['ﬁre', 'fire'],
    ['Zoe\u0308', 'zoë'],
    ['℃', '°c'],
    ['\u200B', ''],
    ['# #', ''],
  ])('turns %j into %j', (name, tag) => {
    expect(foldTag(name)).toBe(tag)
  })

  test('repeated, changes nothing; twins are equal', () => {
    fc.assert(
      fc.property(
        hostile,
        hostile,
        fc.constantFrom('\u200B', '\u200D', '\uFEFF', '\u00AD', '\uFE0F', '\u202E'),
        (one, other, sign) => {
          const tag = foldTag(one + other)
          expect(foldTag(tag)).toBe(tag)
          expect(foldTag(one + sign + other)).toBe(tag)
          expect(foldTag((one + other).normalize('NFD'))).toBe(tag)
        },
      ),
    )
  })
})

describe('code', () => {
  test.each(['', ' ', '\n', '\r\n\t', '\u200B', normalizeCode('\uFEFF'), normalizeCode('\uFEFF\n')])(
    '%j is empty',
    (code) => {
      expect(codeProblem(code)?.message).toBe('Script content must not be empty.')
    },
  )

  test('keeps every byte but a byte order mark at its start', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = new TextEncoder().encode(text)
        const code = decodeCode(bytes)
        expect(normalizeCode(code)).toBe(code)
        expect(`${'\uFEFF'.repeat(text.length - code.length)}${code}`).toBe(text)
        expect(decodeCode(new TextEncoder().encode(`\uFEFF${text}`))).toBe(code)
      }),
    )
    expect(decodeCode(new TextEncoder().encode('-- a\rb\r\nc'))).toBe('-- a\rb\r\nc')
  })

  test('in other encodings is rejected', () => {
    expect(() => decodeCode(new Uint8Array([0xff, 0xfe, 0x41, 0]))).toThrow(TypeError)
    expect(codeProblem('a\nb\0')?.message).toContain('U+0000 in line 2')
  })
})

describe('days', () => {
  test.each(['2027-02-28', '2028-02-29', '2026-12-31', '0001-01-01'])('%s exists', (day) => {
    expect(isDay(day)).toBe(true)
  })

  test.each([
    '2027-02-29',
    '2027-02-30',
    '2027-13-01',
    '2027-00-10',
    '2027-04-31',
    '102026-11-21',
    '2027-1-1',
    '',
    '0000-01-01',
  ])('%j does not exist', (day) => {
    expect(isDay(day)).toBe(false)
    expect(parseDayOrTime(day, '00:00:00')).toBeNull()
    expect(parseDayOrTime(`${day}T10:00:00Z`, '00:00:00')).toBeNull()
  })

  test.each([
    '2027-02-28T24:00:00Z',
    '2027-02-28T23:60Z',
    '2027-02-28T23:59:60Z',
    '2027-02-28T10:00+24:00',
    '2027-02-28 10:00Z',
  ])('%j is no time', (text) => {
    expect(parseDayOrTime(text, '00:00:00')).toBeNull()
  })

  test('a time names its zone, or is in UTC where it may lack one', () => {
    expect(parseDayOrTime('2027-02-28T10:00', '00:00:00')).toBeNull()
    expect(parseDayOrTime('2027-02-28T10:00', '00:00:00', { mayLackZone: true })).toEqual(
      new Date('2027-02-28T10:00:00Z'),
    )
    expect(parseDayOrTime('2027-02-28T10:00:00.5+02:00', '00:00:00')).toEqual(new Date('2027-02-28T08:00:00.5Z'))
    expect(parseDayOrTime('2027-02-28', '23:59:59.999')).toEqual(new Date('2027-02-28T23:59:59.999Z'))
  })
})

describe('names', () => {
  test.each([
    'Moderator',
    'moderators',
    'Mоderаtor',
    'M0derator',
    'Admin',
    'ADMIN',
    'adm1n',
    'Adｍin',
    'A d m i n',
    'Site Admin',
    'The Staff',

    'Deleted member',
    'Dеleted  Member',
    'Someone',
    'Scriptyard',
    'Scrlptyard Team',
    'Official Scriptyard',
    'Moderator 2',
    'Ⓐdmin',
    'Mod_Team',
  ])('%j is reserved', (name) => {
    expect(isReservedName(name, 'Scriptyard')).toBe(true)
  })

  test.each([
    'Modder',
    'Ada',
    'Admiral',
    'Team Rocket',
    'Modest',
    'Supportive',
    'Administrivia',
    'Модератор 9',
    'The Owner',
    'Stafford',
    '🦊',
    'Scriptyard Fan',
  ])('%j is free', (name) => {
    expect(isReservedName(name, 'Scriptyard')).toBe(false)
  })

  test('that look alike have equal skeletons', () => {
    expect(skeletonOf('Аdа_Lоvelаce')).toBe(skeletonOf('Ada Lovelace'))
    expect(skeletonOf('Bob')).not.toBe(skeletonOf('Rob'))
  })
})
