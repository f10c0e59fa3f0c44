import { expect, test } from 'vitest'
import { DEFAULT_STATE } from './browse-state.ts'
import { describePage } from './describe-page.ts'

test.each([
  [{}, 'Community scripts for Roblox'],
  [{ page: 3 }, 'Community scripts for Roblox · Page 3'],
  [{ search: 'jump', tags: ['ui'], flags: ['free_only'] } as const, 'Scripts: “jump”, #ui, Free Scripts Only'],
])('with %j on, the title is %j', (changes, title) => {
  expect(describePage({ ...DEFAULT_STATE, ...changes }).title).toBe(title)
})
