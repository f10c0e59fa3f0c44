import { expect, test } from 'vitest'
import type { RepositorySource } from '#contract/repository-sync.ts'
import { type LoadedSource, withoutSource, withSource, withSync } from './source-state.ts'

const time = '2026-11-01T00:00:00.000Z'
const source: RepositorySource = {
  script_id: 1,
  connection: {
    forge: { kind: 'github', url: 'https://github.com' },
    repository: 'owner/name',
    webhook_url: 'https://example.com/hook',
    last_received_at: null,
    script_count: 1,
  },
  branch: 'main',
  pattern: '*.luau',
  created_at: time,
}
const sync = (id: number): LoadedSource['syncs'][number] => ({
  id,
  reason: 'manual',
  commit: null,
  path: null,
  state: 'waiting',
  error: null,
  version_number: null,
  version_state: null,
  created_at: time,
  finished_at: null,
})
const connected: LoadedSource = { source, syncs: [sync(1)], forges: [] }
const disconnected: LoadedSource = { source: null, syncs: [], forges: [] }

test('a started sync comes first, and once', () => {
  expect(withSync(connected, sync(2)).syncs.map(({ id }) => id)).toEqual([2, 1])
  expect(withSync(withSync(connected, sync(2)), sync(2)).syncs.map(({ id }) => id)).toEqual([2, 1])
})

test('a sync of a repository that has been disconnected is not shown', () => {
  expect(withSync(disconnected, sync(2))).toEqual(disconnected)
})

test('a changed repository keeps its log, a new one starts without', () => {
  expect(withSource(connected, { ...source, branch: 'next' })).toMatchObject({
    source: { branch: 'next' },
    syncs: [{ id: 1 }],
  })
  expect(withSource({ ...connected, source: null }, source)).toEqual({ ...connected, syncs: [] })
})

test('disconnecting removes the log', () => {
  expect(withoutSource(connected)).toEqual(disconnected)
})
