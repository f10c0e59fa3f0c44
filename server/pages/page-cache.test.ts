import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CachedResponse } from '#server/http/cached-response.ts'
import type { PageRequest } from '#server/http/in-process.ts'
import { PageCache } from './page-cache.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Pages that show what `/api/<address>` and `/api/all` answer. */
function open() {
  const seen = { made: [] as string[], asked: [] as string[], version: 1 }
  const answers = new Map<string, string>()
  const statuses = new Map<string, number>()
  const pages = new PageCache({
    version: () => seen.version,
    send: ({ url }) => {
      seen.asked.push(url)
      const status = statuses.get(url) ?? 200
      return Promise.resolve({ status, statusText: '', text: answers.get(url) ?? '' })
    },
    make: async (address, send) => {
      seen.made.push(address)
      const ask = (url: string) => send({ method: 'GET', url } satisfies PageRequest)
      const [own, all] = await Promise.all([ask(`/api${address}`), ask('/api/all')])
      return new CachedResponse(`${own.text} of ${all.text}`, 'text/plain', own.status)
    },
  })
  const read = async (address: string) => (await pages.get(address)).body.toString()
  /** Whether nothing has to be waited for. */
  const now = () => pages.find('/a')?.() instanceof CachedResponse
  return { pages, seen, answers, statuses, read, now }
}

test('a page is made once while nothing changes', async () => {
  const { read, seen, pages, now } = open()
  expect(pages.find('/a')).toBeUndefined()
  await Promise.all([read('/a'), read('/a')])
  await read('/a')
  expect([seen.made, seen.asked]).toEqual([['/a'], ['/api/a', '/api/all']])
  expect(now()).toBe(true)
})

test('after a change elsewhere it is asked about once, and stays', async () => {
  const { read, seen, pages, now } = open()
  await read('/a')
  seen.version++
  seen.asked = []
  expect(pages.find('/a')?.()).toBeInstanceOf(Promise)
  await Promise.all([read('/a'), read('/a')])
  expect([seen.made, seen.asked]).toEqual([['/a'], ['/api/a', '/api/all']])
  expect(now()).toBe(true)
})

test.each(['/api/a', '/api/all'])('it is made anew when %s is answered otherwise', async (url) => {
  const { read, seen, answers } = open()
  await read('/a')
  answers.set(url, 'new')
  seen.version++
  expect(await read('/a')).toContain('new')
  expect(seen.made).toEqual(['/a', '/a'])
})

test('the same text with another status is another answer', async () => {
  const { pages, read, seen, statuses } = open()
  await read('/a')
  statuses.set('/api/a', 404)
  seen.version++
  expect((await pages.get('/a')).status).toBe(404)
  expect(pages.find('/a')).toBeUndefined()
})

test('a change while it is asked about is not missed', async () => {
  const { read, seen, answers, now } = open()
  await read('/a')
  seen.version++
  const asked = read('/a')
  seen.version++
  answers.set('/api/a', 'newer')
  await asked
  expect(now()).toBe(false)
  expect(await read('/a')).toBe('newer of ')
})

test('what a slower look finds does not make it older again', async () => {
  const { read, seen, now } = open()
  await read('/a')
  seen.version = 2
  const slower = read('/a')
  seen.version = 3
  await read('/a')
  await slower
  expect(now()).toBe(true)
})

test('it grows old even so', async () => {
  const { read, seen } = open()
  await read('/a')
  vi.advanceTimersByTime(29_000)
  seen.version++
  await read('/a')
  vi.advanceTimersByTime(1_000)
  await read('/a')
  expect(seen.made).toEqual(['/a', '/a'])
})

test('what failed inside is not kept', async () => {
  const { pages, seen, statuses } = open()
  statuses.set('/api/a', 500)
  await pages.get('/a')
  await pages.get('/a')
  expect(seen.made).toEqual(['/a', '/a'])
})
