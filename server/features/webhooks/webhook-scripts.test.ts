import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

let site: TestApp
let authorId: number
let author: { authorization: string }
let scriptId: number
let webhook: Webhook
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  authorId = await makeMember(site.db)
  author = await signIn(site.db, authorId)
  scriptId = await makeScript(site.db, { author_id: authorId, title: 'Spring' })
  const body = await call('POST', '/api/webhooks', { url: 'https://example.com/', events: ['comment.posted'] })
  webhook = body['webhook'] as Webhook
})

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers = author) {
  const response = await site.app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: response.statusCode, ...response.json<Record<string, unknown>>() } as Record<string, unknown>
}

const limit = (script_ids: number[] | null) => call('PUT', '/api/webhooks', { id: webhook.id, script_ids })
const comment = async (script: number, text: string) =>
  call('POST', `/api/script-comments?id=${script}`, { text }, await signIn(site.db))
const readTexts = async () => {
  const { deliveries } = await call('GET', `/api/webhook-deliveries?id=${webhook.id}`)
  const bodies = (deliveries as WebhookDelivery[]).map(({ body }) => JSON.parse(body) as { data: { comment: object } })
  return bodies.map(({ data }) => (data.comment as { text: string }).text)
}

test('a webhook that is limited to scripts gets the events of these only, also after they are deleted', async () => {
  const chosen = await makeScript(site.db, { author_id: authorId, title: 'Chosen' })
  expect(await limit([chosen])).toMatchObject({ webhook: { scripts: [{ id: chosen, title: 'Chosen' }] } })
  await comment(scriptId, 'Elsewhere.')
  await comment(chosen, 'Here.')
  expect(await readTexts()).toEqual(['Here.'])
  const change = { id: webhook.id, is_enabled: true }
  expect(await call('PUT', '/api/webhooks', change)).toMatchObject({ webhook: { scripts: [{ id: chosen }] } })
  await site.db.deleteFrom('scripts').where('id', '=', chosen).execute()
  await comment(scriptId, 'Elsewhere again.')
  expect(await readTexts()).toEqual(['Here.'])
  expect(await call('GET', '/api/webhooks')).toMatchObject({ webhooks: [{ scripts: [] }] })
  expect(await limit(null)).toMatchObject({ webhook: { scripts: null } })
  await comment(scriptId, 'From all scripts.')
  expect(await readTexts()).toEqual(['From all scripts.', 'Here.'])
})

test('only scripts of the owner can be chosen, and none for a webhook of the site', async () => {
  const input = { url: 'https://example.com/', events: ['review.posted'] }
  for (const script_ids of [[scriptId, await makeScript(site.db)], [2_000_000]]) {
    expect(await call('POST', '/api/webhooks', { ...input, script_ids })).toMatchObject({
      status: 400,
      fields: { script_ids: 'Choose only scripts of your own.' },
    })
  }
  expect(await limit([])).toMatchObject({ status: 400, fields: { script_ids: expect.any(String) } })
  expect((await call('GET', '/api/webhooks'))['webhooks']).toHaveLength(1)
  const admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
  expect(await call('POST', '/api/site-webhooks', { ...input, script_ids: [scriptId] }, admin)).toMatchObject({
    status: 400,
  })
})

test('an event has the username of a member whose display name is empty', async () => {
  const named = { username: 'nova', display_name: '' }
  await site.db.updateTable('members').set(named).where('id', '=', authorId).execute()
  const commenter = await signIn(site.db, await makeMember(site.db, { username: 'lyra', display_name: '' }))
  await call('POST', `/api/script-comments?id=${scriptId}`, { text: 'Nice.' }, commenter)
  const { deliveries } = await call('GET', `/api/webhook-deliveries?id=${webhook.id}`)
  const bodies = (deliveries as WebhookDelivery[]).map(({ body }) => JSON.parse(body) as unknown)
  expect(bodies).toMatchObject([
    { data: { script: { author: { name: 'nova' } }, comment: { member: { name: 'lyra' } } } },
  ])
})
