import { describe, expect, test } from 'vitest'
import { addTags, countLines, defaultAlt, findErrors, isIncomplete, readCodeFile } from './validation.ts'
import { EMPTY_VALUES, type ScriptValues } from './values.ts'

const valid: ScriptValues = { ...EMPTY_VALUES, title: 'T', description: 'D', script_content: 'print(1)' }
const errorsWith = (change: Partial<ScriptValues>) => Object.keys(findErrors({ ...valid, ...change }))

describe('findErrors', () => {
  test('accepts a complete form', () => {
    expect(findErrors(valid)).toEqual({})
  })

  test.each([
    ['title', 100],
    ['version', 20],
    ['description', 5000],
  ] as const)(
    'accepts %s with %d characters, trimmed and counted in code points, and rejects one more',
    (name, limit) => {
      expect(errorsWith({ [name]: ` ${'🎮'.repeat(limit)} ` })).toEqual([])
      expect(errorsWith({ [name]: '🎮'.repeat(limit + 1) })).toEqual([name])
    },
  )

  test('requires a description of each screenshot, of at most 140 characters', () => {
    const withAlt = (alt: string) => errorsWith({ screenshots: [{ image: '/media/a.webp', alt }] })
    expect(withAlt('🎮'.repeat(140))).toEqual([])
    expect(withAlt('🎮'.repeat(141))).toEqual(['screenshots'])
    expect(withAlt('  ')).toEqual(['screenshots'])
  })

  test('counts the code in bytes', () => {
    expect(errorsWith({ script_content: 'é'.repeat(524_288) })).toEqual([])
    expect(errorsWith({ script_content: `${'é'.repeat(524_288)}x` })).toEqual(['script_content'])
  })

  test.each(['https://example.com', 'HTTP://example.com/x', ''])('accepts the key link %j', (key_system_url) => {
    expect(errorsWith({ has_key_system: true, key_system_url })).toEqual([])
  })

  test.each(['javascript:alert(1)', 'example.com', `https://example.com/${'x'.repeat(2048)}`])(
    'rejects the key link %j',
    (key_system_url) => {
      expect(errorsWith({ has_key_system: true, key_system_url })).toEqual(['key_system_url'])
    },
  )

  test('validates the game only for game-specific scripts', () => {
    expect(errorsWith({ is_universal: false, game_id: '12345678901234567890' })).toEqual([])
    expect(errorsWith({ is_universal: false, game_id: '123456789012345678901' })).toEqual(['game_id'])
    expect(errorsWith({ is_universal: false, game_id: '12a' })).toEqual(['game_id'])
  })
})

test('uses sentences of its own, and those of the API where it has none', () => {
  const errors = findErrors({
    ...valid,
    title: 'x'.repeat(1001),
    version: ' ',
    summary: 'a\u202Eb',
    description: '\u200B',
    requirements: 'x'.repeat(501),
    is_universal: false,
    game_id: 'x',
    has_key_system: true,
    key_system_url: 'x',
    script_content: '\n',
    declared_capabilities: [],
    declared_hosts: '::',
  })
  expect(errors).toEqual({
    title: '1,001 of 100 characters. Please shorten it.',
    version: 'Enter a version, such as 1.0.0.',
    summary: "Summary can't contain text-direction characters.",
    description: 'Describe what the script does.',
    requirements: '501 of 500 characters. Please shorten it.',
    game_id: "Digits only: the number in the game's URL.",
    key_system_url: 'Enter a URL starting with https:// or http://.',
    script_content: 'Add your code.',
    declared_hosts: 'Enter each server as a name, such as api.example.com.',
  })
  expect(isIncomplete(errors)).toBe(true)
})

test('only blank fields that every script has make a form incomplete', () => {
  const errors = findErrors({ ...valid, version: '', title: 'x'.repeat(101) })
  expect(Object.keys(errors)).toEqual(['title', 'version'])
  expect(isIncomplete(errors)).toBe(false)
})

test('of a saved script, only changed fields are checked', () => {
  const saved = { ...valid, script_content: 'print(1)\0', screenshots: [{ image: '/media/a.webp', alt: '' }] }
  expect(findErrors({ ...saved, title: 'Lamp' }, saved)).toEqual({})
  expect(Object.keys(findErrors({ ...saved, script_content: '\0' }, saved))).toEqual(['script_content'])
})

describe('addTags', () => {
  test.each([
    ['  Arena  ', ['arena']],
    ['##fast', ['fast']],
    ['two   words', ['two words']],
    ['a, b,,a , B', ['a', 'b']],
    ['  ', []],
    ['#', []],
    ['es\u200Bp，ＥＳＰ、＃Zoe\u0308', ['esp', 'zoë']],
    ['\u200B', []],
  ])('reads %j as %j', (typed, tags) => {
    expect(addTags([], typed)).toEqual({ tags, rest: '', error: undefined })
  })

  test('adds each tag once', () => {
    expect(addTags(['ui'], 'UI').tags).toEqual(['ui'])
  })

  test('accepts 30 characters and returns longer tags', () => {
    expect(addTags([], 'x'.repeat(30)).tags).toHaveLength(1)
    const long = '🎮'.repeat(31)
    expect(addTags([], `ok, ${long}`)).toEqual({
      tags: ['ok'],
      rest: long,
      error: 'Tags can have at most 30 characters.',
    })
    expect(addTags([], '🎮'.repeat(30)).error).toBeUndefined()
  })

  test('accepts ten tags and rejects the eleventh', () => {
    const nine = Array.from({ length: 9 }, (_, index) => `t${index}`)
    expect(addTags(nine, 'tenth, eleventh')).toEqual({
      tags: [...nine, 'tenth'],
      rest: 'eleventh',
      error: 'You can add up to 10 tags.',
    })
  })
})

const read = (name: string, content: Uint8Array<ArrayBuffer> | string) => readCodeFile(new File([content], name))

describe('readCodeFile', () => {
  test.each(['a.lua', 'a.LUAU', 'a.b.txt'])(
    'keeps the line breaks of %s and drops its byte order mark',
    async (name) => {
      expect(await read(name, '\uFEFFa\r\nb\rc\n')).toEqual({ code: 'a\r\nb\rc\n' })
    },
  )

  test('rejects other file types, files that are too large and binary files', async () => {
    expect(await read('a.exe', '')).toEqual({ error: 'Choose a .lua, .luau or .txt file.' })
    expect(await read('a.lua', 'x'.repeat(1_048_577))).toEqual({ error: 'The file is over 1 MB.' })
    expect(await read('a.lua', new Uint8Array([0xff, 0xfe, 0x41]))).toEqual({
      error: "The file isn't UTF-8 text.",
    })
    expect(await read('a.lua', 'x'.repeat(1_048_576))).toHaveProperty('code')
  })
})

test.each([
  ['settings-menu.png', 'Settings menu'],
  ['Shop_with.two items.JPG', 'Shop with two items'],
  ['Screenshot 2026-01-02 at 10.11.png', 'Screenshot of Lamp'],
  ['RobloxScreenShot20260102.png', 'Screenshot of Lamp'],
  ['IMG_1234.HEIC', 'Screenshot of Lamp'],
  ['a.png', 'Screenshot of Lamp'],
])('a screenshot named %j is described as %j at first', (name, alt) => {
  expect(defaultAlt(name, ' Lamp ')).toBe(alt)
})

test('a screenshot is described without a title, too, and never past the limit', () => {
  expect(defaultAlt('x.png', '')).toBe('Screenshot of the script')
  expect(defaultAlt(`${'long name '.repeat(30)}.png`, '')).toHaveLength(140)
})

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\n\n', 2],
  ['\n', 1],
  ['a\nb', 2],
])('countLines of %j is %d', (text, lines) => {
  expect(countLines(text)).toBe(lines)
})
