import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { WebhookDelivery } from '#contract/webhooks.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { Receiver } from '#tests/support/receiver.ts'
import { createEmit } from './emit.ts'

const SOON = { timeout: 15_000, interval: 30 }
const URL_GONE = 'The webhook was turned off, because its URL says that it no longer exists.'

let site: TestApp
let receiver: Receiver
let authorId: number
let headers: { authorization: string }
let scriptId: number
let webhookId: number
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
  await receiver.reset()
  authorId = await makeMember(site.db)
  headers = await signIn(site.db, authorId)
  scriptId = await makeScript(site.db, { author_id: authorId })
  const payload = { url: receiver.url, events: ['version.published'] }
  const created = await site.app.inject({ method: 'POST', url: '/api/webhooks', headers, payload })
  webhookId = created.json<{ webhook: { id: number } }>().webhook.id
})

const emit = () => createEmit({ jobs: site.jobs, publicUrl: site.config.publicUrl })
const event = () => ({ type: 'version.published' as const, scriptId, isFirst: false })
const readLog = async () => {
  const response = await site.app.inject({ url: `/api/webhook-deliveries?id=${webhookId}`, headers })
  return response.json<{ deliveries: WebhookDelivery[] }>().deliveries.map(({ state, error }) => ({ state, error }))
}
const isDisabled = async () => {
  const { rows } = await sql`select from webhooks where id = ${webhookId} and disabled_at is not null`.execute(site.db)
  return rows.length > 0
}

test('a delivery that commits after its webhook was turned off by a 410 is closed with the reason', async () => {
  await receiver.configure({ statuses: [410] })
  const emitted = Promise.withResolvers<void>()
  const disabled = Promise.withResolvers<void>()
  const late = site.db.transaction().execute(async (trx) => {
    await emit()(trx, event())
    emitted.resolve()
    await disabled.promise
  })
  try {
    await emitted.promise
    await site.db.transaction().execute((trx) => emit()(trx, event()))
    await expect.poll(isDisabled, SOON).toBe(true)
  } finally {
    disabled.resolve()
    await late
  }
  await expect.poll(async () => (await readLog()).filter(({ state }) => state === 'waiting'), SOON).toEqual([])
  expect(await readLog()).toContainEqual({ state: 'failed', error: URL_GONE })
})

test('five quick events for a URL that is gone leave nothing waiting', async () => {
  await receiver.configure({ statuses: [410] })
  await Promise.all(Array.from({ length: 5 }, () => site.db.transaction().execute((trx) => emit()(trx, event()))))
  await expect.poll(isDisabled, SOON).toBe(true)
  await expect.poll(async () => (await readLog()).every(({ state }) => state === 'failed'), SOON).toBe(true)
})
