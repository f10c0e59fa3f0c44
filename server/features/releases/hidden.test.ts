import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember } from '#tests/support/factories.ts'
import { Author, HARMLESS, REMOTE, signInModerator, unique, WEBHOOK } from '#tests/support/releases.ts'
import { publish, sendChange, sendRelease, type SignedIn } from '#tests/support/scripts.ts'
import { makeWebhook } from '#tests/support/webhooks.ts'

let site: TestApp
let moderator: SignedIn
let author: Author
let webhook: number
beforeAll(async () => {
  site = await createTestApp()
  moderator = await signInModerator(site)
})
beforeEach(async () => {
  author = await Author.create(site)
  const follower = await makeMember(site.db)
  await sql`insert into follows (author_id, follower_id) values (${author.memberId}, ${follower})`.execute(site.db)
  webhook = (await makeWebhook(site.db)).id
  await sql`update webhooks set events = '{version.published,version.released}' where id = ${webhook}`.execute(site.db)
})
afterAll(() => site.close())

async function moderate(action: 'hide' | 'unhide', id: number): Promise<void> {
  const payload = { action, subject_type: 'script', subject_id: id, reason: 'Looked at it.' }
  const response = await site.app.inject({ method: 'POST', url: '/api/moderation', headers: moderator, payload })
  expect(response.statusCode, response.body).toBe(200)
}

/** What followers, watchers and the webhook of the site learned of a script. */
async function announcements(id: number): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`select audience as what from broadcasts where script_id = ${id}
    union all select e.type || case when (e.body::jsonb -> 'data' -> 'version' ->> 'is_first')::boolean then ' first' else '' end
      from webhook_deliveries d join webhook_events e on e.id = d.event_id
      where d.webhook_id = ${webhook} and (e.body::jsonb -> 'data' -> 'script' ->> 'id')::int = ${id}`.execute(site.db)
  return rows.map(({ what }) => what).toSorted()
}

const watch = async (id: number) =>
  sql`insert into watches (script_id, member_id) values (${id}, ${await makeMember(site.db)})`.execute(site.db)

test('a first version that is released while the script is hidden is announced once, when the script is shown', async () => {
  const id = await publish(site, author.headers, { title: 'Lamp', script_content: unique(REMOTE) })
  await moderate('hide', id)
  expect((await sendRelease(site, moderator, id, 1)).statusCode).toBe(200)
  expect(await announcements(id)).toEqual([])
  await moderate('unhide', id)
  expect(await announcements(id)).toEqual(['followers', 'version.published first'])
  await moderate('hide', id)
  await moderate('unhide', id)
  expect(await announcements(id)).toEqual(['followers', 'version.published first'])
})

test('a first version that waits when the script is shown is announced when it is released', async () => {
  const id = await publish(site, author.headers, { title: 'Lamp', script_content: unique(REMOTE) })
  await moderate('hide', id)
  await moderate('unhide', id)
  expect(await announcements(id)).toEqual([])
  expect((await sendRelease(site, moderator, id, 1)).statusCode).toBe(200)
  expect(await announcements(id)).toEqual(['followers', 'version.published first', 'version.released'])
})

test('an update that is released while the script is hidden is announced to its watchers', async () => {
  const id = await publish(site, author.headers, { title: 'Lamp', script_content: unique(HARMLESS) })
  await watch(id)
  await sendChange(site, author.headers, id, { script_content: unique(WEBHOOK) })
  await moderate('hide', id)
  expect((await sendRelease(site, moderator, id, 2)).statusCode).toBe(200)
  await moderate('unhide', id)
  expect(await announcements(id)).toEqual(['followers', 'version.published', 'version.published first', 'watchers'])
})

test('former code that takes the place of a withdrawn version while the script is hidden is no news', async () => {
  const id = await publish(site, author.headers, { title: 'Lamp', script_content: unique(HARMLESS) })
  await sendChange(site, author.headers, id, { script_content: unique(HARMLESS) })
  await watch(id)
  const before = await announcements(id)
  await moderate('hide', id)
  const payload = { script_id: id, number: 2, reason: 'Broken.' }
  const headers = { ...author.headers }
  const withdrawn = await site.app.inject({ method: 'POST', url: '/api/version-withdraw', headers, payload })
  expect(withdrawn.statusCode, withdrawn.body).toBe(200)
  await moderate('unhide', id)
  expect(await announcements(id)).toEqual(before)
})
