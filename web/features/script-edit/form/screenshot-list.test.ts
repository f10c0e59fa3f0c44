import { describe, expect, test } from 'vitest'
import { addScreenshots, FULL, moveScreenshot, removeScreenshot } from './screenshot-list.ts'

const image = (name: string) => new File(['x'], name, { type: 'image/png' })
const list = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ image: `/media/${index}.webp`, alt: `Shot ${index + 1}` }))

describe('adding', () => {
  test('appends images with a first description', () => {
    const { change, rejected } = addScreenshots(list(1), [image('settings-menu.png'), image('a.png')], 'Lamp')
    expect(change?.screenshots.map(({ alt }) => alt)).toEqual(['Shot 1', 'Settings menu', 'Screenshot of Lamp'])
    expect(change?.announcement).toBe('2 added, 3 of 8.')
    expect(rejected).toBeUndefined()
  })

  test('adds the images among other files, and says what is wrong with those', () => {
    const { change, rejected } = addScreenshots(
      [],
      [new File(['x'], 'a.txt', { type: 'text/plain' }), image('b.png')],
      '',
    )
    expect(change?.screenshots).toHaveLength(1)
    expect(rejected).toBe('Choose image files only.')
  })

  test('stops at the limit', () => {
    const { change, rejected } = addScreenshots(list(7), [image('a.png'), image('b.png')], '')
    expect(change?.screenshots).toHaveLength(8)
    expect(rejected).toBe(FULL)
    expect(addScreenshots(list(8), [image('a.png')], '')).toEqual({ change: undefined, rejected: FULL })
  })
})

describe('moving', () => {
  test('puts the screenshot at its new position', () => {
    const change = moveScreenshot(list(3), 0, 2)
    expect(change?.screenshots.map(({ alt }) => alt)).toEqual(['Shot 2', 'Shot 3', 'Shot 1'])
    expect(change?.announcement).toBe('Shot 1 is now 3 of 3.')
  })

  test.each([
    [0, 0],
    [0, -1],
    [0, 3],
    [3, 0],
  ])('from %i to %i of three moves nothing', (from, to) => {
    expect(moveScreenshot(list(3), from, to)).toBeUndefined()
  })
})

test('removing keeps the order of the others', () => {
  const change = removeScreenshot(list(3), 1)
  expect(change.screenshots.map(({ alt }) => alt)).toEqual(['Shot 1', 'Shot 3'])
  expect(change.announcement).toBe('Removed. 2 of 8.')
})
