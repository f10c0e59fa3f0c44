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
  ['sort=price', /^Sort has an unknown value\.$/],
  ['sort=title;drop', /^Sort has an/],
  ['order=up', /^Order has an unknown value\.$/],
  ['free_only=yes', /^Free only has an unknown value\.$/],
  ['free_only=1', /^Free only has an/],
  ['showcased=TRUE', /^Showcased has an/],
  ['page=0', /^Page must be at least 1\.$/],
  ['page=-1', /^Page must be at least 1\.$/],
  ['page=1.5', /^Page must be a whole number\.$/],
  ['page=x', /^Page must be a whole number\.$/],
  ['page=1e3', /^Page must be a whole number\.$/],
  ['page=0x10', /^Page must be a whole number\.$/],
  ['page=%201', /^Page must be a whole number\.$/],
  ['page=2147483648', /^Page must be at most 2147483647\.$/],
  ['page=99999999999999999999', /^Page must be a whole number\.$/],
  ['page=Infinity', /^Page must be a whole number\.$/],
  ['limit=0', /^Limit must be at least 1\.$/],
  ['limit=101', /^Limit must be at most 100\.$/],
  ['page=1&page=2', /^Page may appear only once\.$/],
  ['free_only=true&free_only=true', /^Free only may appear only once\.$/],
  ['author=0', /^Author must be at least 1\.$/],
  ['min_rating=6', /^Min rating must be at most 5\.$/],
  ['min_rating=NaN', /^Min rating must be a number\.$/],
  ['min_views=-1', /^Min views must be at least 0\.$/],
  ['search=a%00b', /^Search contains characters that are not allowed\.$/],
  ['tags=%00', /^Tags contains characters/],
])('rejects %s with an error that names it', async (query, message) => {
  const response = await site.app.inject(`/api/scripts?${query}`)
  expect(response.statusCode).toBe(400)
  const problem = response.json<Problem>()
  expect(problem.code).toBe('invalid')
  expect(problem.error).toMatch(message)
})

test.each(['search=a%00b', 'page=1&page=2'])('returns the error for %s by its parameter', async (query) => {
  const { fields } = (await site.app.inject(`/api/scripts?${query}`)).json<Problem>()
  expect(Object.keys(fields ?? {})).toEqual([query.split('=')[0]])
})

test.each([
  ['10,000 characters', `search=${'a'.repeat(10_000)}`],
  ['17 words', `search=${Array.from({ length: 17 }, (_, n) => `w${n}`).join('+')}`],
  ['11 tags', `tags=${Array.from({ length: 11 }, (_, n) => `t${n}`).join(',')}`],
  ['10,000 characters of tags', `tags=${'a'.repeat(10_000)}`],
])('rejects a search of %s', async (_name, query) => {
  const response = await site.app.inject(`/api/scripts?${query}`)
  expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([400, 'invalid'])
})

test('returns an error for every invalid parameter', async () => {
  const response = await site.app.inject('/api/scripts?sort=x&limit=0&page=0')
  expect(Object.keys(response.json<{ fields: object }>().fields).toSorted()).toEqual(['limit', 'page', 'sort'])
})

test.each([
  ['16 words', `search=${Array.from({ length: 16 }, (_, n) => `w${n}`).join('+')}`],
  ['200 characters', `search=${'a'.repeat(200)}`],
  ['10 tags of 30 characters', `tags=${Array.from({ length: 10 }, (_, n) => `${n}${'t'.repeat(29)}`).join(',')}`],
  ['the last page', 'page=2147483647&limit=100'],
  ['the same tag 50 times', `tags=${Array.from({ length: 50 }, () => 'same').join(',')}`],
])('accepts a search of %s', async (_name, query) => {
  expect((await site.app.inject(`/api/scripts?${query}`)).statusCode).toBe(200)
})

test('ignores unknown parameters', async () => {
  expect((await site.app.inject('/api/scripts?utm_source=x')).statusCode).toBe(200)
})

test.each([
  ['a broken escape', '%ff'],
  ['a lone percent sign', '%'],
  ['a NUL character', '%00'],
  ['5,000 characters', 'x'.repeat(5000)],
  ['dots', '..%2f..'],
  ['non-ASCII characters', '💥'],
])('returns 404 in plain text for a raw URL of %s', async (_name, slug) => {
  const response = await site.app.inject(`/raw/${slug}`)
  expect(response.statusCode).toBe(404)
  expect(response.headers['content-type']).toContain('text/plain')
})
