import { expect, test } from 'vitest'
import { fitTags } from './script-card.tsx'

const named = (...names: string[]) => names.map((name) => ({ name }))

test.each([
  [[], 0, 0],
  [['ui'], 1, 0],
  [['ui', 'camera', 'movement'], 3, 0],
  [['ui', 'camera', 'movement', 'inventory', 'debug'], 3, 2],
  [['a tag of thirty whole characters', 'ui'], 1, 1],
  [['ui', 'a tag of thirty whole characters'], 1, 1],
])('fitTags of %j shows %i and hides %i', (names, shown, hidden) => {
  const tags = named(...names)
  expect(fitTags(tags)).toEqual({ shown: tags.slice(0, shown), hidden })
})
