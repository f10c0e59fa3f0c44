import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import type { AppError } from '#server/platform/http/errors.ts'
import type { PageRequest } from '#server/platform/http/in-process.ts'
import { PageCache } from './page-cache.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Pages that show the responses of `/api/<url>` and `/api/all`. */
function open() {
  const seen = { rendered: [] as string[], requested: [] as string[], version: 1 }
  const answers = new Map<string, string>()
  const statuses = new Map<string, number>()
  const hanging = new Set<string>()
  const pages = new PageCache({
    version: () => seen.version,
    send: ({ url }) => {
      seen.requested.push(url)
      if (hanging.has(url)) return new Promise(() => {})
      const status = statuses.get(url) ?? 200
      return Promise.resolve({ status, statusText: '', text: answers.get(url) ?? '' })
    },
    render: async (url, send) => {
      seen.rendered.push(url)
      const request = (path: string) => send({ method: 'GET', url: path } satisfies PageRequest)
      const [own, all] = await Promise.all([request(`/api${url}`), request('/api/all')])
      return new CachedResponse(`${own.text} of ${all.text}`, 'text/plain', own.status)
    },
  })
  const read = async (url: string) => (await pages.get(url)).body.toString()
  /** Whether the page is found synchronously. */
  const isCurrent = () => pages.find('/a')?.() instanceof CachedResponse
  return { pages, seen, answers, statuses, hanging, read, isCurrent }
}

test('a page is rendered once while nothing changes', async () => {
  const { read, seen, pages, isCurrent } = open()
  expect(pages.find('/a')).toBeUndefined()
  await Promise.all([read('/a'), read('/a')])
  await read('/a')
  expect([seen.rendered, seen.requested]).toEqual([['/a'], ['/api/a', '/api/all']])
  expect(isCurrent()).toBe(true)
})

test('after a change elsewhere its sources are requested once, and it stays', async () => {
  const { read, seen, pages, isCurrent } = open()
  await read('/a')
  seen.version++
  seen.requested = []
  expect(pages.find('/a')?.()).toBeInstanceOf(Promise)
  await Promise.all([read('/a'), read('/a')])
  expect([seen.rendered, seen.requested]).toEqual([['/a'], ['/api/a', '/api/all']])
  expect(isCurrent()).toBe(true)
})

test.each(['/api/a', '/api/all'])('a page is rendered again if the response of %s changes', async (url) => {
  const { read, seen, answers } = open()
  await read('/a')
  answers.set(url, 'new')
  seen.version++
  expect(await read('/a')).toContain('new')
  expect(seen.rendered).toEqual(['/a', '/a'])
})

test('a response with the same text and another status is a change', async () => {
  const { pages, read, seen, statuses } = open()
  await read('/a')
  statuses.set('/api/a', 404)
  seen.version++
  expect((await pages.get('/a')).status).toBe(404)
  expect(pages.find('/a')).toBeUndefined()
})

test('a change during revalidation is not missed', async () => {
  const { read, seen, answers, isCurrent } = open()
  await read('/a')
  seen.version++
  const pending = read('/a')
  seen.version++
  answers.set('/api/a', 'newer')
  await pending
  expect(isCurrent()).toBe(false)
  expect(await read('/a')).toBe('newer of ')
})

test('a slower revalidation does not make a page older again', async () => {
  const { read, seen, isCurrent } = open()
  await read('/a')
  seen.version = 2
  const slower = read('/a')
  seen.version = 3
  await read('/a')
  await slower
  expect(isCurrent()).toBe(true)
})

test('a page expires even if nothing changes', async () => {
  const { read, seen } = open()
  await read('/a')
  vi.advanceTimersByTime(29_000)
  seen.version++
  await read('/a')
  vi.advanceTimersByTime(1_200)
  await read('/a')
  expect(seen.rendered).toEqual(['/a', '/a'])
})

test('a server error is not cached', async () => {
  const { pages, seen, statuses } = open()
  statuses.set('/api/a', 500)
  await pages.get('/a')
  await pages.get('/a')
  expect(seen.rendered).toEqual(['/a', '/a'])
})

test('an unchanged page is served for ten minutes while the database is unavailable', async () => {
  const { pages, read, statuses } = open()
  await read('/a')
  statuses.set('/api/a', 503)
  vi.advanceTimersByTime(9 * 60_000)
  expect((await pages.get('/a')).status).toBe(200)
  vi.advanceTimersByTime(2 * 60_000)
  expect((await pages.get('/a')).status).toBe(503)
})

test('a page that may have changed is served for ten minutes while the database is unavailable', async () => {
  const { pages, read, seen, statuses } = open()
  await read('/a')
  statuses.set('/api/a', 503)
  seen.version++
  for (const ms of [0, 31_000, 500_000]) {
    vi.advanceTimersByTime(ms)
    expect((await pages.get('/a')).status).toBe(200)
  }
  vi.advanceTimersByTime(70_000)
  expect((await pages.get('/a')).status).toBe(503)
})

test('a page whose requests hang is answered with the earlier page after a second and a half', async () => {
  const { read, seen, hanging } = open()
  await read('/a')
  hanging.add('/api/a')
  seen.version++
  const pending = read('/a')
  vi.advanceTimersByTime(1500)
  expect(await pending).toBe(' of ')
})

test('a page that never was rendered fails after five seconds if its requests hang', async () => {
  const { read, hanging } = open()
  hanging.add('/api/a')
  const failing = read('/a').catch((error: AppError) => error.status)
  await vi.advanceTimersByTimeAsync(5000)
  expect(await failing).toBe(503)
})

test('a page that is gone is not served from an earlier one', async () => {
  const { pages, read, seen, statuses } = open()
  await read('/a')
  statuses.set('/api/a', 404)
  seen.version++
  expect((await pages.get('/a')).status).toBe(404)
})
