import { describe, expect, test } from 'vitest'
import { addTags } from './tags.ts'

describe('addTags', () => {
  test.each([
    ['  Arena  ', ['arena']],
    ['##fast', ['fast']],
    ['two   words', ['two words']],
    ['a, b,,a , B', ['a', 'b']],
    ['  ', []],
    ['#', []],
  ])('takes %j as %j', (typed, tags) => {
    expect(addTags([], typed)).toEqual({ tags, rest: '', error: undefined })
  })

  test('keeps each tag once', () => {
    expect(addTags(['ui'], 'UI').tags).toEqual(['ui'])
  })

  test('takes 30 characters and leaves 31 to be put right', () => {
    expect(addTags([], 'x'.repeat(30)).tags).toHaveLength(1)
    const long = '🎮'.repeat(31)
    expect(addTags([], `ok, ${long}`)).toEqual({
      tags: ['ok'],
      rest: long,
      error: 'A tag has at most 30 characters.',
    })
    expect(addTags([], '🎮'.repeat(30)).error).toBeUndefined()
  })

  test('takes ten and refuses the eleventh', () => {
    const nine = Array.from({ length: 9 }, (_, index) => `t${index}`)
    expect(addTags(nine, 'tenth, eleventh')).toEqual({
      tags: [...nine, 'tenth'],
      rest: 'eleventh',
      error: 'A script has at most 10 tags.',
    })
  })
})
