import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { makeGiveaway } from '#tests/support/giveaways.ts'
import { Receiver } from '#tests/support/receiver.ts'
import { wakeDeliveries } from './deliver.ts'

const SOON = { timeout: 15_000, interval: 30 }
const EVENTS = ['version.published', 'review.posted', 'comment.posted', 'behavior.changed'] as const

type Headers = { authorization: string }

let site: TestApp
let receiver: Receiver
let authorId: number
let author: Headers
let scriptId: number

beforeAll(async () => {
  site = await createTestApp({}, { runsJobs: true, sandboxes: fakeSandboxes })
  receiver = new Receiver()
  await receiver.start()
})
afterAll(async () => {
  await site.close()
  await receiver.close()
})
beforeEach(async () => {
  await sql`delete from webhooks`.execute(site.db)
  await receiver.reset()
  authorId = await makeMember(site.db)
  author = await signIn(site.db, authorId)
  scriptId = await makeScript(site.db, { author_id: authorId, title: 'Spring' })
})

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers, payload?: object) {
  const response = await site.app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: response.statusCode, ...response.json<Record<string, unknown>>() } as Record<string, unknown>
}

interface Created {
  webhook: Webhook
  secret: string
}

async function create(events: readonly string[] = EVENTS, headers = author, path = 'webhooks'): Promise<Created> {
  const { status, ...created } = await call('POST', `/api/${path}`, headers, { url: receiver.url, events })
  expect(status).toBe(201)
  const result = created as unknown as Created
  await receiver.configure({ secrets: [result.secret] })
  return result
}

const rate = async (rating = 5, review: string | null = 'Good.') => {
  const { status } = await call('POST', `/api/script-rating?id=${scriptId}`, await signIn(site.db), { rating, review })
  expect(status).toBe(200)
}
const comment = async (text: string, headers?: Headers) => {
  const { status } = await call('POST', `/api/script-comments?id=${scriptId}`, headers ?? (await signIn(site.db)), {
    text,
  })
  expect(status).toBe(201)
}
const log = async (id: number, path = 'webhook-deliveries', headers = author) =>
  (await call('GET', `/api/${path}?id=${id}`, headers))['deliveries'] as WebhookDelivery[]
const waitFor = async (count: number) => {
  await expect.poll(async () => (await receiver.received()).length, SOON).toBe(count)
}
/** Makes waiting deliveries due now, as if the time until their next attempt had passed; not those that are being sent. */
const skipDelays = async () => {
  await sql`update webhook_deliveries set next_attempt_at = now()
    where state = 'waiting' and (attempted_at is null or next_attempt_at <> attempted_at + interval '30 seconds')`.execute(
    site.db,
  )
  await wakeDeliveries(site.db, site.jobs)
}

describe('events', () => {
  test('of a script reach its author, signed', async () => {
    const { webhook } = await create()
    await rate(4, 'Works well.')
    await comment('How do I start it?')
    await waitFor(2)
    const [review, question] = await receiver.received()
    expect(review).toMatchObject({
      isValid: true,
      type: 'review.posted',
      userAgent: expect.stringContaining('Scriptyard-Webhooks/'),
      data: {
        script: { id: scriptId, title: 'Spring', url: `${site.config.publicUrl}/scripts/spring-${scriptId}` },
        review: { rating: 4, text: 'Works well.', member: { name: expect.any(String) } },
      },
    })
    expect(question).toMatchObject({ isValid: true, type: 'comment.posted', data: { comment: { parent_id: null } } })
    await expect
      .poll(() => log(webhook.id), SOON)
      .toMatchObject([
        {
          type: 'comment.posted',
          state: 'delivered',
          attempts: 1,
          status: 204,
          subject: 'Spring',
          next_attempt_at: null,
        },
        { type: 'review.posted', state: 'delivered', event_id: review?.id },
      ])
  })

  test('of versions: a new one, and a script that becomes public, but not a private one', async () => {
    await create()
    const change = (payload: object) => call('PUT', `/api/script-details?id=${scriptId}`, author, payload)
    await change({ script_content: 'return 2', version: '1.1.0', changelog: 'Faster.\n\nIn all loops.' })
    await waitFor(1)
    await change({ is_public: false })
    await change({ script_content: 'return 3', version: '1.2.0' })
    await change({ is_public: true })
    await waitFor(2)
    expect(await receiver.received()).toMatchObject([
      {
        type: 'version.published',
        data: { version: { number: 2, name: '1.1.0', changelog: 'Faster.', is_first: false } },
      },
      { type: 'version.published', data: { version: { number: 3, name: '1.2.0', is_first: true } } },
    ])
  })

  test('of behavior say what a version starts and stops to do', async () => {
    const { webhook } = await create(['behavior.changed'])
    // Both versions are analyzed.
    const publish = (script_content: string) =>
      call('PUT', `/api/script-details?id=${scriptId}`, author, { script_content })
    await publish('print("hello")')
    const isReady = async () => {
      const { rows } = await sql<{ status: string }>`select b.status from script_behaviors b join script_versions v
        on v.script_id = b.script_id and v.sha256 = b.sha256 join scripts s on s.id = v.script_id
        and s.current_version = v.number where b.script_id = ${scriptId} and not awaits_review`.execute(site.db)
      return rows[0]?.status
    }
    await expect.poll(isReady, { timeout: 60_000 }).toBe('ready')
    await publish('setclipboard(game:HttpGet("https://example.com/a.lua"))')
    await expect.poll(async () => (await log(webhook.id)).length, { timeout: 60_000 }).toBe(1)
    await waitFor(1)
    const [event] = await receiver.received()
    expect(event?.data).toMatchObject({ version: { number: 3 }, hosts_added: ['example.com'], stops: [] })
    expect(event?.data['starts']).toEqual(expect.arrayContaining(['net.get', 'user.clipboard']))
  }, 150_000)

  test('of all public scripts and of giveaways reach the site', async () => {
    const admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
    await create(['review.posted', 'giveaway.ended'], admin, 'site-webhooks')
    await rate()
    const giveaway_id = await makeGiveaway(site.db, { sealed_seed: site.seal.seal('00'.repeat(32)) })
    await sql`insert into giveaway_entries (giveaway_id, member_id) values (${giveaway_id}, ${authorId})`.execute(
      site.db,
    )
    const { status } = await call('POST', '/api/giveaways', admin, { action: 'select-winners', giveaway_id })
    expect(status).toBe(200)
    await waitFor(2)
    const events = await receiver.received()
    expect(events.every(({ isValid }) => isValid)).toBe(true)
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['giveaway.ended', 'review.posted']))
  })

  test('of members whom the author has blocked do not reach the author, and other types neither', async () => {
    const { webhook } = await create(['comment.posted'])
    const blockedId = await makeMember(site.db)
    await site.db.insertInto('blocks').values({ blocker_id: authorId, blocked_id: blockedId }).execute()
    await comment('Unwanted.', await signIn(site.db, blockedId))
    await rate()
    await comment('Wanted.')
    await waitFor(1)
    expect(await log(webhook.id)).toHaveLength(1)
  })

  test('a transaction that rolls back leaves none', async () => {
    const { webhook } = await create()
    const { status } = await call('POST', `/api/script-rating?id=${scriptId}`, author, { rating: 5 })
    expect(status).toBe(403)
    expect(await log(webhook.id)).toEqual([])
  })
})

describe('deliveries', () => {
  test('are repeated with the same id, and later events of the script wait', async () => {
    const { webhook } = await create()
    await receiver.configure({ statuses: [500, 503] })
    await comment('First.')
    await waitFor(1)
    await comment('Second.')
    const other = await makeScript(site.db, { author_id: authorId, title: 'Other' })
    await call('POST', `/api/script-comments?id=${other}`, await signIn(site.db), { text: 'Elsewhere.' })
    // Another script does not wait.
    await waitFor(2)
    await expect.poll(async () => (await log(webhook.id)).map(({ state }) => state), SOON).toContain('waiting')
    await skipDelays()
    await expect
      .poll(async () => (await skipDelays(), await receiver.received()).length, SOON)
      .toBeGreaterThanOrEqual(4)
    await expect
      .poll(async () => (await skipDelays(), (await log(webhook.id)).map(({ state }) => state)), SOON)
      .toEqual(['delivered', 'delivered', 'delivered'])
    const ofScript = (await receiver.received()).filter(
      ({ data }) => (data['script'] as { id: number }).id === scriptId,
    )
    const texts = ofScript.map(({ data }) => (data['comment'] as { text: string }).text)
    expect(texts.at(-1)).toBe('Second.')
    expect(texts.slice(0, -1).every((text) => text === 'First.')).toBe(true)
    const ids = new Set(ofScript.map(({ id }) => id))
    expect(ids.size).toBe(2)
    expect(ofScript.every(({ isValid }) => isValid)).toBe(true)
  })

  test('of one script keep their order when there are many', async () => {
    await create()
    const headers = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
    for (let i = 0; i < 30; i++) await comment(`Number ${i}`, headers)
    await waitFor(30)
    const numbers = (await receiver.received()).map(({ data }) => (data['comment'] as { text: string }).text)
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => `Number ${i}`))
  })

  test('end after 24 hours; the webhook is turned off, its owner notified, and on again at will', async () => {
    const { webhook } = await create()
    await receiver.configure({ statuses: Array.from({ length: 20 }, () => 500) })
    await comment('First.')
    await waitFor(1)
    await expect.poll(async () => (await log(webhook.id))[0]?.status, SOON).toBe(500)
    await comment('Second.')
    await sql`update webhook_deliveries set created_at = now() - interval '25 hours'
      where id = (select min(id) from webhook_deliveries where webhook_id = ${webhook.id})`.execute(site.db)
    await skipDelays()
    const read = async () =>
      ((await call('GET', '/api/webhooks', author))['webhooks'] as Webhook[]).find(({ id }) => id === webhook.id)
    await expect.poll(read, SOON).toMatchObject({ is_enabled: false, disabled_reason: 'failures' })
    expect((await log(webhook.id)).map(({ state }) => state)).toEqual(['failed', 'failed'])
    const { notifications } = await call('GET', '/api/user-notifications', author)
    expect(notifications).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ title: 'Your webhook was turned off', link: '/profile/settings?tab=webhooks' }),
      ]),
    )
    await comment('While it is off.')
    expect(await log(webhook.id)).toHaveLength(2)
    await receiver.configure({ statuses: [] })
    await call('PUT', '/api/webhooks', author, { id: webhook.id, is_enabled: true })
    await comment('Third.')
    await expect.poll(async () => (await log(webhook.id))[0], SOON).toMatchObject({ state: 'delivered' })
    expect(await read()).toMatchObject({ is_enabled: true, disabled_reason: null, failing_since: null })
  })

  test('end at once if the URL is gone', async () => {
    const { webhook } = await create()
    await receiver.configure({ statuses: [410] })
    await comment('First.')
    await expect.poll(async () => (await log(webhook.id))[0], SOON).toMatchObject({ state: 'failed', status: 410 })
    const { webhooks } = await call('GET', '/api/webhooks', author)
    expect(webhooks).toMatchObject([{ disabled_reason: 'gone' }])
  })

  test('stop for a banned owner and go on after the ban', async () => {
    const { webhook } = await create()
    await receiver.configure({ statuses: [500] })
    await comment('Before.')
    await waitFor(1)
    await sql`update members set banned_until = 'infinity' where id = ${authorId}`.execute(site.db)
    await expect
      .poll(async () => {
        const { rows } = await sql<{ status: number }>`select status from webhook_deliveries
        where webhook_id = ${webhook.id}`.execute(site.db)
        return rows[0]?.status
      }, SOON)
      .toBe(500)
    await skipDelays()
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await receiver.received()).toHaveLength(1)
    await sql`update members set banned_until = null where id = ${authorId}`.execute(site.db)
    await skipDelays()
    await waitFor(2)
  })

  test('of the log can be sent again, and a test can be sent', async () => {
    const { webhook } = await create()
    await comment('First.')
    await waitFor(1)
    const [first] = await log(webhook.id)
    const again = { action: 'send_again', delivery_id: first?.id }
    expect(await call('POST', '/api/webhook-deliveries', author, again)).toMatchObject({ status: 202 })
    await waitFor(2)
    const testCall = { action: 'test', id: webhook.id }
    expect(await call('POST', '/api/webhook-deliveries', author, testCall)).toMatchObject({ status: 202 })
    await waitFor(3)
    const [one, two, three] = await receiver.received()
    expect(two).toMatchObject({ id: one?.id, isValid: true, data: one?.data })
    expect(three).toMatchObject({ type: 'webhook.test', isValid: true })
    await call('PUT', '/api/webhooks', author, { id: webhook.id, is_enabled: false })
    expect(await call('POST', '/api/webhook-deliveries', author, testCall)).toMatchObject({
      status: 409,
      code: 'webhook_off',
    })
  })

  test('are signed with both secrets after a rotation', async () => {
    const { webhook, secret } = await create()
    const rotated = (await call('POST', '/api/webhook-secret', author, { id: webhook.id })) as unknown as Created
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rotated.secret).not.toBe(secret)
    expect(rotated.webhook.former_secret_until).not.toBeNull()
    await receiver.configure({ secrets: [secret] })
    await comment('First.')
    await waitFor(1)
    await receiver.configure({ secrets: [rotated.secret] })
    await comment('Second.')
    await waitFor(2)
    await sql`update webhooks set former_secret_until = now() where id = ${webhook.id}`.execute(site.db)
    await receiver.configure({ secrets: [secret] })
    await comment('Third.')
    await waitFor(3)
    expect((await receiver.received()).map(({ isValid }) => isValid)).toEqual([true, true, false])
  })

  test('older than 30 days are deleted', async () => {
    const { webhook } = await create()
    await comment('First.')
    await waitFor(1)
    await expect.poll(async () => (await log(webhook.id))[0]?.state, SOON).toBe('delivered')
    await sql`update webhook_deliveries set created_at = now() - interval '31 days'`.execute(site.db)
    await sql`update webhook_events set created_at = now() - interval '31 days'`.execute(site.db)
    await deleteDueData(site.db)
    expect(await log(webhook.id)).toEqual([])
    expect((await sql`select from webhook_events`.execute(site.db)).rows).toEqual([])
  })
})

describe('managing', () => {
  test('secrets and URLs are encrypted in the database, and the secret is returned once', async () => {
    const { secret } = await create()
    const { rows } = await sql`select from webhooks where position('127.0.0.1'::bytea in sealed_url) > 0
      or position(${secret.slice(6)}::bytea in sealed_secret) > 0`.execute(site.db)
    expect(rows).toEqual([])
    expect(JSON.stringify(await call('GET', '/api/webhooks', author))).not.toContain('whsec_')
  })

  test.each([
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'https://a:b@example.com/' }, 'url'],
    [{ url: ' ' }, 'url'],
    [{ url: 'https://example.com/', events: ['giveaway.ended'] }, 'events'],
  ])('%j is rejected', async (input, field) => {
    const result = await call('POST', '/api/webhooks', author, { events: ['review.posted'], ...input })
    expect(result).toMatchObject({ status: 400, fields: { [field]: expect.any(String) } })
  })

  test('at most five, also at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 7 }, () =>
        call('POST', '/api/webhooks', author, { url: 'https://example.com/', events: ['review.posted'] }),
      ),
    )
    expect(results.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(results.filter(({ code }) => code === 'too_many_webhooks')).toHaveLength(2)
  })

  test('a Discord URL gets messages for Discord', async () => {
    const url = 'https://discord.com/api/webhooks/123456/abc_DEF-123'
    const { webhook } = await call('POST', '/api/webhooks', author, { url, events: ['review.posted'] })
    expect(webhook).toMatchObject({ format: 'discord', url })
  })

  test('outside of development only https is accepted', async () => {
    const input = { url: 'http://example.com/', events: ['review.posted'] }
    expect(await call('POST', '/api/webhooks', author, input)).toMatchObject({ status: 201 })
    const production = await createTestApp({ appEnv: 'production', publicUrl: 'https://yard.example' })
    try {
      const headers = await signIn(production.db)
      const response = await production.app.inject({ method: 'POST', url: '/api/webhooks', headers, payload: input })
      expect(response.json()).toMatchObject({ code: 'invalid', error: 'The URL must start with https://.' })
    } finally {
      await production.close()
    }
  })

  test('erasing the account deletes its webhooks and the events of its actions', async () => {
    await create()
    const memberId = await makeMember(site.db)
    await comment('Soon gone.', await signIn(site.db, memberId))
    await waitFor(1)
    await site.db.deleteFrom('members').where('id', '=', memberId).execute()
    expect((await sql`select from webhook_events where body like '%Soon gone%'`.execute(site.db)).rows).toEqual([])
    await site.db.deleteFrom('members').where('id', '=', authorId).execute()
    expect((await sql`select from webhooks`.execute(site.db)).rows).toEqual([])
  })
})
