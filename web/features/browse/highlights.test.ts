import { expect, test } from 'vitest'
import { type Api, createClient } from '#web/lib/client.ts'
import { loadHighlights } from './highlights.tsx'

const { signal } = new AbortController()

/** Answers each sort with scripts of these ids. */
const apiWith = (lists: Record<string, number[]>, total: number): Api =>
  createClient(({ url }) => {
    const query = new URL(url, 'http://site.example').searchParams
    const ids = (lists[query.get('sort') ?? ''] ?? []).slice(0, Number(query.get('limit')))
    const text = JSON.stringify({ scripts: ids.map((id) => ({ id })), pagination: { total } })
    return Promise.resolve({ status: 200, statusText: 'OK', text })
  })

test('no script is in both lists', async () => {
  const api = apiWith({ trending: [1, 2, 3], updated_at: [2, 1, 4, 5] }, 21)
  expect(await loadHighlights(api, signal)).toMatchObject({
    rising: [{ id: 1 }, { id: 2 }],
    updated: [{ id: 4 }, { id: 5 }],
  })
})

test('a catalogue that fits on one page has no highlights', async () => {
  expect(await loadHighlights(apiWith({ trending: [1, 2] }, 20), signal)).toBeNull()
})
