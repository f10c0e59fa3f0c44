import { afterAll, expect, test } from 'vitest'
import { AttackedSite } from '#lab/attack/site.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { Receiver } from '#tests/support/receiver.ts'
import { repetitions } from '#tests/support/seed.ts'

const ROUNDS = repetitions(2, 3)
const COMMENTS = 5

const site = new AttackedSite()
const receiver = new Receiver()
afterAll(async () => {
  await receiver.close()
  await site.close()
})

test('every event that was committed before kill -9 is delivered, in order', async () => {
  await receiver.start()
  await site.start()
  const origin = `http://127.0.0.1:${site.port}`
  const authorId = await makeMember(site.db)
  const scriptId = await makeScript(site.db, { author_id: authorId })
  const post = async (path: string, member: { authorization: string }, body: object) => {
    const headers = { ...member, 'content-type': 'application/json' }
    const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status).toBe(201)
    return (await response.json()) as Record<string, unknown>
  }
  const input = { url: receiver.url, events: ['comment.posted'] }
  const { secret } = await post('/api/webhooks', await signIn(site.db, authorId), input)
  // Slow enough for kills during a request.
  await receiver.configure({ secrets: [secret], delayMs: 50 })
  const written: string[] = []
  const member = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < COMMENTS; i++) {
      const text = `Round ${round}, number ${i}`
      await post(`/api/script-comments?id=${scriptId}`, member, { text })
      written.push(text)
    }
    await site.kill('SIGKILL')
    // As if the time of the interrupted requests were over.
    await site.pool.query(`update webhook_deliveries set next_attempt_at = now() where state = 'waiting'`)
    await site.start()
    expect(await site.waitUntilReady()).toBe(true)
  }
  const read = async () => {
    const events = await receiver.received()
    expect(events.every(({ isValid }) => isValid)).toBe(true)
    // An event whose response was lost is sent twice.
    return [...new Set(events.map(({ data }) => (data['comment'] as { text: string }).text))]
  }
  await expect.poll(read, { timeout: 120_000, interval: 500 }).toEqual(written)
}, 300_000)
