import { expect, test } from 'vitest'
import { describeResults } from './describe-results.ts'

test.each([
  [{ page: 1, limit: 20, total: 0, pages: 0 }, '0 scripts'],
  [{ page: 1, limit: 20, total: 1, pages: 1 }, '1 script'],
  [{ page: 1, limit: 20, total: 20, pages: 1 }, '20 scripts'],
  [{ page: 1, limit: 20, total: 21, pages: 2 }, '1–20 of 21 scripts'],
  [{ page: 2, limit: 20, total: 21, pages: 2 }, '21–21 of 21 scripts'],
  [{ page: 50_000, limit: 20, total: 1_000_000, pages: 50_000 }, '999,981–1,000,000 of 1,000,000 scripts'],
  [{ page: 9, limit: 20, total: 21, pages: 2 }, '21 scripts'],
])('%j is described as %j', (pagination, sentence) => {
  expect(describeResults(pagination)).toBe(sentence)
})
