import { describe, expect, test } from 'vitest'
import { findMissing, findErrors } from './check-values.ts'
import { EMPTY_VALUES, type ScriptValues } from './values.ts'

const good: ScriptValues = { ...EMPTY_VALUES, title: 'T', description: 'D', script_content: 'print(1)' }
const wrongWith = (change: Partial<ScriptValues>) => Object.keys(findErrors({ ...good, ...change }))

describe('findWrong', () => {
  test('lets a filled form pass', () => {
    expect(findErrors(good)).toEqual({})
  })

  test.each([
    ['title', 100],
    ['version', 20],
    ['description', 5000],
  ] as const)('lets %s have %d characters, blanks around and emoji among them, and not one more', (name, most) => {
    expect(wrongWith({ [name]: ` ${'🎮'.repeat(most)} ` })).toEqual([])
    expect(wrongWith({ [name]: '🎮'.repeat(most + 1) })).toEqual([name])
  })

  test('counts the code in bytes', () => {
    expect(wrongWith({ script_content: 'é'.repeat(524_288) })).toEqual([])
    expect(wrongWith({ script_content: `${'é'.repeat(524_288)}x` })).toEqual(['script_content'])
  })

  test.each(['https://example.com', 'HTTP://example.com/x', ''])('takes the key address %j', (key_system_url) => {
    expect(wrongWith({ has_key_system: true, key_system_url })).toEqual([])
  })

  test.each(['javascript:alert(1)', 'example.com', `https://example.com/${'x'.repeat(2048)}`])(
    'refuses the key address %j',
    (key_system_url) => {
      expect(wrongWith({ has_key_system: true, key_system_url })).toEqual(['key_system_url'])
    },
  )

  test('looks at a game only where the script is for one', () => {
    expect(wrongWith({ is_universal: false, game_id: '12345678901234567890' })).toEqual([])
    expect(wrongWith({ is_universal: false, game_id: '123456789012345678901' })).toEqual(['game_id'])
    expect(wrongWith({ is_universal: false, game_id: '12a' })).toEqual(['game_id'])
  })
})

test('what is blank is missing', () => {
  expect(Object.keys(findMissing({ ...good, title: ' ', script_content: '\n' }))).toEqual(['title', 'script_content'])
})
