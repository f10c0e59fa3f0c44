import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { publish, sendChange, type SignedIn } from '#tests/support/scripts.ts'
import { makeWebhook } from '#tests/support/webhooks.ts'
import { sha256, WEBHOOK } from '#tests/support/withdrawals.ts'
import { notifyOfWithdrawal } from './notify-withdrawal.ts'

const REMOTE = 'loadstring(game:HttpGet("https://example.com/x.lua"))()'

let site: TestApp
let author: SignedIn
let authorId: number
let moderator: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  authorId = await makeMember(site.db)
  author = await signIn(site.db, authorId)
  moderator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
})
afterAll(() => site.close())

const send = async (url: string, payload: object, headers: object = author) => {
  const response = await site.app.inject({ method: 'POST', url, headers: { ...headers }, payload })
  expect(response.statusCode, response.body).toBe(200)
}
const withdraw = (id: number, number: number, fields: object = {}) =>
  send('/api/version-withdraw', { script_id: id, number, reason: 'It deletes games.', ...fields })

describe('those who use withdrawn code', () => {
  const readInbox = async (memberId: number) => {
    const headers = await signIn(site.db, memberId)
    const { notifications } = (await site.app.inject({ url: '/api/user-notifications', headers })).json<{
      notifications: { title: string; message: string; link: string; is_read: boolean }[]
    }>()
    return notifications.filter(({ title }) => title === 'Withdrawn code')
  }
  const runJobs = async () => {
    const { rows } = await sql<{ id: number }>`select id from withdrawals order by id desc limit 1`.execute(site.db)
    for (let run = 0; run < 2; run++) {
      await notifyOfWithdrawal(site.db, rows[0]?.id ?? 0, new AbortController().signal)
    }
  }

  test('are notified once, however they keep the script, and others are not', async () => {
    const id = await publish(site, author, { script_content: 'return "a"' })
    await sendChange(site, author, id, { script_content: 'return "b"' })
    const [favorite, watcher, collector, all, nobody] = await Promise.all(
      [1, 2, 3, 4, 5].map(() => makeMember(site.db)),
    )
    const ids = [favorite, watcher, collector, all].map((member) => member ?? 0)
    for (const member of [ids[0], ids[3], authorId]) {
      await site.db
        .insertInto('favorites')
        .values({ member_id: member ?? 0, script_id: id })
        .execute()
    }
    for (const member of [ids[1], ids[3]]) {
      await site.db
        .insertInto('watches')
        .values({ member_id: member ?? 0, script_id: id })
        .execute()
    }
    for (const owner_id of [ids[2] ?? 0, ids[3] ?? 0]) {
      const collection = await site.db
        .insertInto('collections')
        .values({ owner_id, name: 'Mine' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await site.db
        .insertInto('collection_items')
        .values({ collection_id: collection.id, script_id: id, position: 1 })
        .execute()
    }
    await withdraw(id, 2)
    const { rows } = await sql`select from jobs.job where name = 'notify-withdrawal'`.execute(site.db)
    expect(rows).toHaveLength(1)
    await runJobs()
    const message =
      'Version 1.0.1 of “A script” was withdrawn by its author: It deletes games.\nIf you have this code, stop using it.\nVersion 1.0.0 is current now.'
    for (const member of ids) {
      expect(await readInbox(member)).toMatchObject([{ message, link: `/scripts/a-script-${id}`, is_read: false }])
    }
    for (const member of [nobody, authorId]) expect(await readInbox(member ?? 0)).toEqual([])
    await withdraw(id, 1)
    await runJobs()
    const [first, ...more] = await readInbox(ids[0] ?? 0)
    expect([first?.message, more]).toEqual([expect.stringMatching(/^Version 1\.0\.0 .+\n.+it\.$/), []])
  })
})

describe('webhooks', () => {
  const events = ['version.held', 'version.released', 'version.withdrawn', 'version.published']
  const received = async (webhook: number) => {
    const { rows } = await sql<{ body: string }>`select e.body from webhook_deliveries d
      join webhook_events e on e.id = d.event_id where d.webhook_id = ${webhook} and e.type <> 'webhook.test'
      order by d.id`.execute(site.db)
    return rows.map(({ body }) => JSON.parse(body) as { type: string; data: object })
  }

  test('learn what was held, released and withdrawn', async () => {
    const own = await makeWebhook(site.db, { owner_id: authorId })
    const all = await makeWebhook(site.db)
    await sql`update webhooks set events = ${events} where id in (${own.id}, ${all.id})`.execute(site.db)
    const id = await publish(site, author, { script_content: 'return "c"' })
    await sendChange(site, author, id, { script_content: WEBHOOK })
    await send('/api/version-release', { script_id: id, number: 2, reason: 'Declared.' }, moderator)
    await withdraw(id, 2)
    const bodies = await received(own.id)
    expect(bodies.map(({ type }) => type)).toEqual([
      'version.published',
      'version.held',
      'version.published',
      'version.released',
      'version.withdrawn',
    ])
    const version = { number: 2, name: '1.0.1' }
    expect(bodies[1]?.data).toEqual({
      script: expect.objectContaining({ id, title: 'A script' }),
      version,
      reasons: [{ id: 'net.webhook', host: 'discord.com', line: 1 }],
    })
    expect(bodies[3]?.data).toMatchObject({ version })
    expect(bodies[4]?.data).toMatchObject({
      script: { id },
      version: { ...version, sha256: sha256(WEBHOOK) },
      by: 'author',
      reason: 'It deletes games.',
      is_malicious: false,
      current: { number: 1, name: '1.0.0' },
    })
    expect(await received(all.id)).toHaveLength(5)
  })

  test('learn nothing of a held version that its author discards, or of one that is replaced, but that it was held', async () => {
    const id = await publish(site, author, { script_content: 'return "d"' })
    const own = await makeWebhook(site.db, { owner_id: authorId })
    await sql`update webhooks set events = ${events} where id = ${own.id}`.execute(site.db)
    await sendChange(site, author, id, { script_content: WEBHOOK })
    await sendChange(site, author, id, { script_content: `${REMOTE} -- d` })
    await send('/api/version-discard', { script_id: id, number: 3, was_me: true })
    expect((await received(own.id)).map(({ type }) => type)).toEqual(['version.held', 'version.held'])
  })

  test('of the site do not learn of a script before it is public', async () => {
    const own = await makeWebhook(site.db, { owner_id: authorId })
    const all = await makeWebhook(site.db)
    await sql`update webhooks set events = ${events} where id in (${own.id}, ${all.id})`.execute(site.db)
    await publish(site, author, { script_content: REMOTE })
    expect((await received(own.id)).map(({ type }) => type)).toEqual(['version.held'])
    expect(await received(all.id)).toEqual([])
  })
})

describe('a client that asks before it updates', () => {
  const ask = async (slug: string, from: string) => {
    const response = await site.app.inject(`/api/v1/scripts/${slug}/update?from=${from}`)
    return { ...response.json<{ code?: string; stops?: string[] }>(), status: response.statusCode }
  }

  test('learns what an update starts and stops, and what was withdrawn', async () => {
    const [first, second] = [`${REMOTE} -- first`, `${WEBHOOK} -- second`]
    const declared_capabilities = ['net.get', 'code.remote', 'net.send', 'net.webhook', 'needs.executor']
    const id = await publish(site, author, { script_content: first, declared_capabilities })
    await sendChange(site, author, id, { script_content: second, declared_capabilities })
    await send('/api/version-release', { script_id: id, number: 2, reason: 'Declared.' }, moderator)
    const found = await ask(`x-${id}`, sha256(first))
    expect(found).toMatchObject({
      status: 200,
      latest: {
        number: 2,
        version: '1.0.1',
        sha256: sha256(second),
        raw_url: `${site.config.publicUrl}/raw/a-script-${id}?sha256=${sha256(second)}`,
        provenance: { by: 'web' },
      },
      starts: ['net.send', 'net.webhook'],
      hosts_added: ['discord.com'],
      withdrawn: false,
      is_compared: true,
    })
    expect(found.stops).toContain('code.remote')
    const raw = await site.app.inject(`/raw/a-script-${id}?sha256=${sha256(second)}`)
    expect(raw.body).toBe(second)
    expect(await ask(`x-${id}`, sha256(second).toUpperCase())).toMatchObject({
      starts: [],
      stops: [],
      hosts_added: [],
      is_compared: true,
    })
    await withdraw(id, 1)
    expect(await ask(`x-${id}`, sha256(first))).toMatchObject({
      status: 200,
      withdrawn: true,
      starts: ['net.send', 'net.webhook'],
    })
    await withdraw(id, 2)
    expect(await ask(`x-${id}`, sha256(second))).toMatchObject({ status: 410, code: 'version_withdrawn' })
  })

  test('gets an error for code that this script never had in public', async () => {
    const id = await publish(site, author, { script_content: 'return "d"' })
    const other = await publish(site, author, { script_content: 'return "e"' })
    const hidden = await publish(site, author, { script_content: 'return "f"', is_public: false })
    await sendChange(site, author, id, { script_content: WEBHOOK })
    for (const [slug, from, status, code] of [
      [`x-${id}`, sha256('return "e"'), 404, 'not_found'],
      [`x-${id}`, sha256(WEBHOOK), 404, 'not_found'],
      [`x-${id}`, '0'.repeat(64), 404, 'not_found'],
      [`x-${id}`, 'abc', 400, 'invalid'],
      [`x-${id}`, '', 400, 'invalid'],
      [`x-${id}`, `${sha256('return "d"')}&x=1`, 400, 'invalid'],
      [`x-${hidden}`, sha256('return "f"'), 404, 'script_not_found'],
      ['x-1000000', sha256('return "d"'), 404, 'script_not_found'],
      [`x-${other}`, sha256('return "e"'), 200, undefined],
    ] as const) {
      const found = await ask(slug, from)
      expect([slug, from, found.status, found.code]).toEqual([slug, from, status, code])
    }
  })
})
