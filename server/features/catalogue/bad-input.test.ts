import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Problem } from '#contract/operation.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeScript } from '#tests/support/factories.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  await makeScript(site.db)
})
afterAll(() => site.close())

test.each([
  ['sort=price', /^'sort' must be one of created_at, .*relevance\.$/],
  ['sort=title;drop', /^'sort' must be one of/],
  ['order=up', /^'order' must be one of desc, asc\.$/],
  ['free_only=yes', /^'free_only' must be one of true, false\.$/],
  ['free_only=1', /^'free_only' must be/],
  ['showcased=TRUE', /^'showcased' must be/],
  ['page=0', /^'page' must be at least 1\.$/],
  ['page=-1', /^'page' must be at least 1\.$/],
  ['page=1.5', /^'page' must be a whole number\.$/],
  ['page=x', /^'page' must be a whole number\.$/],
  ['page=1e3', /^'page' must be a whole number\.$/],
  ['page=0x10', /^'page' must be a whole number\.$/],
  ['page=%201', /^'page' must be a whole number\.$/],
  ['page=2147483648', /^'page' must be at most 2147483647\.$/],
  ['page=99999999999999999999', /^'page' must be a whole number\.$/],
  ['page=Infinity', /^'page' must be a whole number\.$/],
  ['limit=0', /^'limit' must be at least 1\.$/],
  ['limit=101', /^'limit' must be at most 100\.$/],
  ['page=1&page=2', /^'page' may appear only once\.$/],
  ['free_only=true&free_only=true', /^'free_only' may appear only once\.$/],
  ['author=0', /^'author' must be at least 1\.$/],
  ['min_rating=6', /^'min_rating' must be at most 5\.$/],
  ['min_rating=NaN', /^'min_rating' must be a number\.$/],
  ['min_views=-1', /^'min_views' must be at least 0\.$/],
  ['search=a%00b', /^'search' contains characters that are not allowed\.$/],
  ['tags=%00', /^'tags' contains characters/],
])('refuses %s with a sentence that names it', async (query, sentence) => {
  const answer = await site.app.inject(`/api/scripts?${query}`)
  expect(answer.statusCode).toBe(400)
  const problem = answer.json<Problem>()
  expect(problem.code).toBe('invalid')
  expect(problem.error).toMatch(sentence)
})

test.each(['search=a%00b', 'page=1&page=2'])('names the field of %s', async (query) => {
  const { fields } = (await site.app.inject(`/api/scripts?${query}`)).json<Problem>()
  expect(Object.keys(fields ?? {})).toEqual([query.split('=')[0]])
})

test.each([
  ['10,000 characters', `search=${'a'.repeat(10_000)}`],
  ['17 words', `search=${Array.from({ length: 17 }, (_, n) => `w${n}`).join('+')}`],
  ['11 tags', `tags=${Array.from({ length: 11 }, (_, n) => `t${n}`).join(',')}`],
  ['10,000 characters of tags', `tags=${'a'.repeat(10_000)}`],
])('refuses a search of %s', async (_what, query) => {
  const answer = await site.app.inject(`/api/scripts?${query}`)
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid'])
})

test('names every wrong parameter', async () => {
  const answer = await site.app.inject('/api/scripts?sort=x&limit=0&page=0')
  expect(Object.keys(answer.json<{ fields: object }>().fields).toSorted()).toEqual(['limit', 'page', 'sort'])
})

test.each([
  ['16 words', `search=${Array.from({ length: 16 }, (_, n) => `w${n}`).join('+')}`],
  ['200 characters', `search=${'a'.repeat(200)}`],
  ['10 tags of 30 characters', `tags=${Array.from({ length: 10 }, (_, n) => `${n}${'t'.repeat(29)}`).join(',')}`],
  ['the last page', 'page=2147483647&limit=100'],
  ['the same tag 50 times', `tags=${Array.from({ length: 50 }, () => 'same').join(',')}`],
])('takes a search of %s', async (_what, query) => {
  expect((await site.app.inject(`/api/scripts?${query}`)).statusCode).toBe(200)
})

test('ignores parameters that it does not know', async () => {
  expect((await site.app.inject('/api/scripts?utm_source=x')).statusCode).toBe(200)
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
