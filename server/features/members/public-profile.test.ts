import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Insertable } from 'kysely'
import type { Members } from '#server/platform/db/types.generated.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { requestProfile, readProfile } from '#tests/support/profiles.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

test('responds 304 if nothing has changed', async () => {
  const id = await makeMember(site.db)
  const first = await requestProfile(site, id)
  const { etag } = first.headers
  expect(first.headers['cache-control']).toBe('public, no-cache')
  const again = await site.app.inject({ url: `/api/user-profiles?user_id=${id}`, headers: { 'if-none-match': etag } })
  expect([again.statusCode, again.payload]).toEqual([304, ''])
})

test('responses to members are not cached or mixed up with those for visitors', async () => {
  const id = await makeMember(site.db, { is_private: true })
  const { etag } = (await requestProfile(site, id)).headers
  const own = await site.app.inject({
    url: `/api/user-profiles?user_id=${id}`,
    headers: { ...(await signIn(site.db, id)), 'if-none-match': etag },
  })
  expect([own.statusCode, own.headers['cache-control'], own.headers.etag]).toEqual([200, 'no-store', undefined])
  expect((await readProfile(site, id)).is_hidden).toBe(true)
})

const CHANGES: [name: string, change: Partial<Insertable<Members>>][] = [
  ['the name', { display_name: 'New' }],
  ['the text', { bio: 'New' }],
  ['a link', { social_links: JSON.stringify({ x: 'https://x.com/new' }) }],
  ['a switch', { show_location: false }],
  ['the badge', { custom_badge: 'New' }],
  ['the reputation', { reputation: 9 }],
  ['the role', { is_moderator: true }],
  ['the visibility', { is_private: true }],
]

test.each(CHANGES)('a change of %s reaches visitors', async (_name, change) => {
  const id = await makeMember(site.db, { location: 'Graz' })
  const before = (await requestProfile(site, id)).payload
  await site.db.updateTable('members').set(change).where('id', '=', id).execute()
  await expect.poll(async () => (await requestProfile(site, id)).payload, { timeout: 10_000 }).not.toBe(before)
})

test('a deleted account disappears for visitors', async () => {
  const id = await makeMember(site.db)
  expect((await requestProfile(site, id)).statusCode).toBe(200)
  await site.db.deleteFrom('members').where('id', '=', id).execute()
  await expect.poll(async () => (await requestProfile(site, id)).statusCode, { timeout: 10_000 }).toBe(404)
})

test('a visit does not invalidate the cache', async () => {
  const id = await makeMember(site.db, { email: 'hidden@example.com' })
  const count = () => site.db.selectFrom('catalogue_changes').select('sequence').execute()
  const before = (await count()).length
  const unseen = { last_seen_at: new Date(), email: 'other@example.com', notes: 'New', muted_until: 'infinity' }
  await site.db.updateTable('members').set(unseen).where('id', '=', id).execute()
  expect((await count()).length).toBe(before)
})
