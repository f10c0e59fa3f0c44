import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ResultOf } from '#contract/operations.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { countBehavior } from './counts.ts'

let portal: Portal

beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())
beforeEach(async () => {
  await sql`delete from scripts`.execute(portal.db)
  await sql`delete from behavior_hosts`.execute(portal.db)
  await sql`delete from behavior_counts`.execute(portal.db)
})

interface Found {
  capabilities?: string[]
  hosts?: string[]
  status?: string
  isPublic?: boolean
}

async function makeCard({ capabilities = [], hosts = [], status = 'ready', isPublic = true }: Found): Promise<void> {
  const script_id = await makeScript(portal.db, { is_public: isPublic })
  const row = { script_id, sha256: 'x', analyzer_version: 1_000_000, status, capabilities, hosts }
  await portal.db.insertInto('script_behaviors').values(row).execute()
}

const stats = async () => (await portal.get<ResultOf<'GET /api/behavior-stats'>>('/api/behavior-stats')).body
const hosts = async (query = '') =>
  (await portal.get<ResultOf<'GET /api/behavior-hosts'>>(`/api/behavior-hosts?${query}`)).body
const mark = (host: string, kind: string | null, headers = portal.admin) =>
  portal.send('PUT /api/behavior-hosts', { host, kind }, headers)

test('findings and states are counted over listed scripts', async () => {
  await makeCard({ capabilities: ['net.get', 'net.webhook'] })
  await makeCard({ capabilities: ['net.get'] })
  await makeCard({ status: 'pending' })
  await makeCard({ capabilities: ['net.get'], isPublic: false })
  await makeScript(portal.db)
  await countBehavior(portal.db)
  expect(await stats()).toMatchObject({
    scripts: 4,
    statuses: { ready: 2, pending: 1, failed: 0, outdated: 0 },
    capabilities: [
      { id: 'net.get', scripts: 2 },
      { id: 'net.webhook', scripts: 1 },
    ],
  })
})

test('old counts are counted again by one job', async () => {
  const waiting = async () =>
    (await sql`select from jobs.job where name = 'count-behavior' and state = 'created'`.execute(portal.db)).rows.length
  expect((await stats()).counted_at).toBeNull()
  await stats()
  expect(await waiting()).toBe(1)
  await sql`delete from jobs.job`.execute(portal.db)
  await countBehavior(portal.db)
  expect((await stats()).counted_at).not.toBeNull()
  expect(await waiting()).toBe(0)
})

test('counts that are gone disappear', async () => {
  await makeCard({ capabilities: ['net.get'], hosts: ['example.com'] })
  await countBehavior(portal.db)
  await sql`update script_behaviors set capabilities = '{}', hosts = '{}'`.execute(portal.db)
  await countBehavior(portal.db)
  expect((await stats()).capabilities).toEqual([])
  expect((await hosts()).hosts).toEqual([])
})

test('hosts are listed by their scripts, and can be searched and filtered', async () => {
  await makeCard({ hosts: ['old.example.com', 'new.example.org'] })
  await makeCard({ hosts: ['old.example.com'] })
  await sql`insert into behavior_hosts (host, first_seen_at) values
    ('old.example.com', now() - interval '8 days'), ('new.example.org', now() - interval '6 days')`.execute(portal.db)
  await countBehavior(portal.db)
  const namesOf = async (query?: string) => (await hosts(query)).hosts.map(({ host, scripts }) => [host, scripts])
  expect(await namesOf()).toEqual([
    ['old.example.com', 2],
    ['new.example.org', 1],
  ])
  expect(await namesOf('search=ORG')).toEqual([['new.example.org', 1]])
  expect(await namesOf('search=%25')).toEqual([])
  expect(await namesOf('new=true')).toEqual([['new.example.org', 1]])
})

test('a moderator marks a host and removes the mark, with audit entries', async () => {
  const headers = await signIn(portal.db, await makeMember(portal.db, { is_moderator: true }))
  await makeCard({ hosts: ['example.com'] })
  await countBehavior(portal.db)
  expect((await mark('example.com', 'collector', headers)).body.message).toBe('Marked as a collector')
  await mark('example.com', 'collector', headers)
  expect((await hosts()).hosts).toMatchObject([{ host: 'example.com', kind: 'collector' }])
  expect((await mark('example.com', null, headers)).body.message).toBe('Mark removed')
  expect((await hosts()).hosts).toMatchObject([{ kind: null }])
  const entries = await portal.db
    .selectFrom('audit_log')
    .select(['before', 'after'])
    .where('action', '=', 'mark_host')
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { before: { host: 'example.com', kind: null }, after: { host: 'example.com', kind: 'collector' } },
    { before: { host: 'example.com', kind: 'collector' }, after: { host: 'example.com', kind: null } },
  ])
})

test('a host that no script contacts cannot be marked', async () => {
  const { status, body } = await mark('nowhere.example.com', 'known')
  expect([status, body.code]).toEqual([404, 'host_not_found'])
})
