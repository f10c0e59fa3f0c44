import { expect, test } from 'vitest'
import type { Review } from '#contract/ratings.ts'
import { formatReviews } from './script-details.ts'

const rating = (id: number, review: string | null): Review => ({
  id,
  rating: 5,
  review,
  reviewer_name: 'Ada',
  reviewer_slug: 'ada',
  reviewer_avatar: '',
  reviewer_discord_id: null,
  reply: null,
  replied_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  edited_at: null,
  helpful_count: 0,
})

test('formatReviews keeps the ratings that have text, trimmed and in order', async () => {
  const ratings = [rating(1, null), rating(2, ' Neat.\n'), rating(3, ''), rating(4, ' \n\t\u00a0'), rating(5, 'ok')]
  expect((await formatReviews(ratings)).map(({ id, review }) => [id, review])).toEqual([
    [2, [['p', ['Neat.']]]],
    [5, [['p', ['ok']]]],
  ])
})
