import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeScript } from '#tests/support/makers.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  await makeScript(site.db)
})
afterAll(() => site.close())

test.each([
  ['sort=price', 'sort'],
  ['order=up', 'order'],
  ['free_only=yes', 'free_only'],
  ['free_only=1', 'free_only'],
  ['page=0', 'page'],
  ['page=-1', 'page'],
  ['page=1.5', 'page'],
  ['page=x', 'page'],
  ['page=1e3', 'page'],
  ['page=99999999999999999999', 'page'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['page=1&page=2', 'page'],
  ['author=0', 'author'],
  ['min_rating=6', 'min_rating'],
  ['search=%00', 'search'],
])('refuses %s with a sentence', async (query, field) => {
  const answer = await site.app.inject(`/api/scripts?${query}`)
  expect(answer.statusCode).toBe(400)
  const problem = answer.json<{ error: string; code: string; fields?: Record<string, string> }>()
  expect(problem.code).toBe('invalid')
  expect(problem.error).toMatch(/\.$/)
  expect(`${problem.error} ${Object.keys(problem.fields ?? {}).join(' ')}`.toLowerCase()).toContain(field)
})

test.each([
  ['10,000 characters', `search=${'a'.repeat(10_000)}`],
  ['17 words', `search=${Array.from({ length: 17 }, (_, n) => `w${n}`).join('+')}`],
  ['11 tags', `tags=${Array.from({ length: 11 }, (_, n) => `t${n}`).join(',')}`],
])('refuses a search of %s', async (_what, query) => {
  const answer = await site.app.inject(`/api/scripts?${query}`)
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid'])
})

test('names every wrong parameter', async () => {
  const answer = await site.app.inject('/api/scripts?sort=x&limit=0&page=0')
  expect(Object.keys(answer.json<{ fields: object }>().fields).toSorted()).toEqual(['limit', 'page', 'sort'])
})

test('ignores parameters that it does not know', async () => {
  expect((await site.app.inject('/api/scripts?utm_source=x')).statusCode).toBe(200)
})

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    "'",
    '"',
    '\\',
    '%',
    '_',
    '&',
    '|',
    '!',
    '(',
    ')',
    ':',
    '*',
    '\u202e',
    '\ufeff',
    '😀',
    'e\u0301',
    '-1',
    '1e20',
  ),
)

test.each([
  '/api/scripts',
  '/api/script-facets',
  '/api/script-details-slug',
  '/api/script-rating',
  '/api/script-download',
])('%s never fails on its own, whatever it is asked', async (path) => {
  const names = ['search', 'tags', 'sort', 'page', 'limit', 'author', 'min_rating', 'free_only', 'slug', 'id']
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), nasty), async (query) => {
      const answer = await site.app.inject(`${path}?${new URLSearchParams(query)}`)
      expect(answer.statusCode).toBeLessThan(500)
      expect(answer.payload).not.toMatch(/select |postgres|\.ts:\d/i)
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['a broken escape', '%ff'],
  ['a lone percent sign', '%'],
  ['a zero', '%00'],
  ['5,000 characters', 'x'.repeat(5000)],
  ['dots', '..%2f..'],
  ['no ASCII', '💥'],
])('answers 404 in plain text for a raw address of %s', async (_what, slug) => {
  const answer = await site.app.inject(`/raw/${slug}`)
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['content-type']).toContain('text/plain')
})
