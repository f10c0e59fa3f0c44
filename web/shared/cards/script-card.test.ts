import { expect, test } from 'vitest'
import { fitTags } from './script-card.tsx'

const named = (...names: string[]) => names.map((name) => ({ name }))

test.each([
  [[], 11, 0, 0],
  [['ui'], 11, 1, 0],
  [['ui', 'camera', 'debug'], 11, 3, 0],
  [['ui', 'camera', 'movement', 'inventory'], 11, 2, 2],
  [['ui', 'camera', 'movement', 'inventory'], 2, 3, 1],
  [['ui', 'camera'], 27, 1, 1],
  [['a tag of thirty whole characters', 'ui'], 11, 1, 1],
  [['ui', 'a tag of thirty whole characters'], 11, 1, 1],
])('fitTags of %j after %i characters shows %i and hides %i', (names, textLength, shown, hidden) => {
  const tags = named(...names)
  expect(fitTags(tags, textLength)).toEqual({ shown: tags.slice(0, shown), hidden })
})
