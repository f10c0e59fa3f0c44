import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Notification } from '#contract/notifications.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { signIn } from '#tests/support/factories.ts'
import { publish, sendChange, sendConfirm, type SignedIn } from '#tests/support/scripts.ts'

const SOON = { timeout: 30_000, interval: 50 }

let site: TestApp
beforeAll(async () => {
  site = await createTestApp({ holdHours: 0 }, { runsJobs: true, sandboxes: fakeSandboxes })
})
afterAll(() => site.close())

let serial = 0
const HELLO = 'print("hello")'
const REMOTE = 'loadstring(game:HttpGet("https://example.com/hub.lua"))()'
const SECRET = `local key = "sk_live_${'a'.repeat(24)}"`
const unique = (code: string) => `${code}\nreturn ${++serial}`

async function waitForReview(id: number): Promise<void> {
  const isReviewed = async () => {
    const { rows } = await site.pool.query(
      `select from script_behaviors where script_id = $1 and status = 'ready' and not awaits_review`,
      [id],
    )
    return rows.length > 0
  }
  await expect.poll(isReviewed, SOON).toBe(true)
}
const publishReviewed = async (headers: SignedIn, fields: Record<string, unknown>) => {
  const id = await publish(site, headers, fields)
  await waitForReview(id)
  return id
}
const update = async (headers: SignedIn, id: number, fields: object) => {
  expect((await sendChange(site, headers, id, fields)).statusCode).toBe(200)
  await waitForReview(id)
}
/** Updates to a version that is held, which its author confirms. */
const updateHeld = async (headers: SignedIn, id: number, fields: object, number = 2) => {
  expect((await sendChange(site, headers, id, fields)).statusCode).toBe(200)
  expect((await sendConfirm(site, headers, id, number)).statusCode).toBe(200)
}
const inbox = async (headers: SignedIn) => {
  const response = await site.app.inject({ url: '/api/user-notifications', headers })
  return response.json<{ notifications: Notification[]; unread_count: number }>()
}
describe('watchers of a script', () => {
  const watch = async (id: number) => {
    const watcher = await signIn(site.db)
    const payload = { script_id: id }
    const response = await site.app.inject({ method: 'POST', url: '/api/watches', headers: watcher, payload })
    expect(response.statusCode).toBe(200)
    return watcher
  }

  test('learn in the notification of the version what it starts to do, also if they have read it', async () => {
    const author = await signIn(site.db)
    const id = await publishReviewed(author, { title: 'Lamp', script_content: unique(HELLO) })
    const watcher = await watch(id)
    await updateHeld(author, id, { version: '2', script_content: unique(REMOTE) })
    await site.app.inject({
      method: 'POST',
      url: '/api/user-notifications',
      headers: watcher,
      payload: { action: 'mark_read', mark_all_read: true },
    })
    await waitForReview(id)
    const { notifications, unread_count } = await inbox(watcher)
    expect(notifications).toHaveLength(1)
    expect(notifications[0]?.message).toMatch(
      / updated “Lamp” to version 2\.\nThis update starts to download data from the internet and run downloaded code\.$/,
    )
    expect(unread_count).toBe(1)
  })

  test('are not notified again of an update that starts nothing of interest', async () => {
    const author = await signIn(site.db)
    const id = await publishReviewed(author, { script_content: unique(HELLO) })
    const watcher = await watch(id)
    await update(author, id, { version: '2', script_content: unique('game.ReplicatedStorage.Event:FireServer(1)') })
    const { notifications } = await inbox(watcher)
    expect(notifications.map(({ message }) => message.includes('This update'))).toEqual([false])
  })

  test('learn what all versions of an hour start to do together', async () => {
    const author = await signIn(site.db)
    const id = await publishReviewed(author, { script_content: unique(HELLO) })
    const watcher = await watch(id)
    await updateHeld(author, id, { version: '2', script_content: unique(REMOTE) })
    await waitForReview(id)
    await update(author, id, { version: '3', script_content: unique(REMOTE) })
    const { notifications } = await inbox(watcher)
    expect(notifications).toHaveLength(1)
    expect(notifications[0]?.message).toMatch(/version 3\.\nThis update starts to .* run downloaded code\.$/)
  })

  test('learn nothing of a private script', async () => {
    const author = await signIn(site.db)
    const id = await publishReviewed(author, { script_content: unique(HELLO) })
    const watcher = await watch(id)
    await update(author, id, { version: '2', script_content: unique(REMOTE), is_public: false })
    expect((await inbox(watcher)).notifications).toEqual([])
  })
})

test('an author is warned of a secret in the code, once', async () => {
  const author = await signIn(site.db)
  const script_content = unique(`${HELLO}\n${SECRET}`)
  const declared_capabilities = ['shape.secret']
  const id = await publishReviewed(author, { title: 'Shop', script_content, declared_capabilities })
  await update(author, id, { version: '2', script_content: unique(SECRET) })
  const { notifications } = await inbox(author)
  expect(notifications).toMatchObject([{ title: 'Your script contains a secret', type: 'warning' }])
  expect(notifications[0]?.message).toMatch(/^Line 2 of “Shop” has a Stripe key\. /)
  expect(notifications[0]?.message).not.toContain('aaaa')
})
