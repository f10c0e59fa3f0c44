import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { AttackedSite } from '#lab/attack/site.ts'
import { giveAddress, MailServer } from '#tests/support/email.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { repetitions } from '#tests/support/seed.ts'

const ROUNDS = repetitions(1, 2)
const DECISIONS = 4
const SOON = { timeout: 120_000, interval: 250 }

const site = new AttackedSite()
const server = new MailServer()
afterAll(async () => {
  await site.close()
  await server.close()
})

test('an email of every decision before kill -9 arrives, one that was being sent twice at most', async () => {
  await server.start()
  await site.start({ SMTP_URL: server.url })
  const { db } = site
  const memberId = await makeMember(db)
  await giveAddress(db, memberId)
  const moderator = await signIn(db, await makeMember(db, { is_moderator: true }))
  const titles: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < DECISIONS; i++) {
      const title = `Round ${round}, number ${i}`
      const subject_id = await makeScript(db, { author_id: memberId, title })
      const response = await fetch(`http://127.0.0.1:${site.port}/api/moderation`, {
        method: 'POST',
        headers: { ...moderator, 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'hide', subject_type: 'script', subject_id, reason: 'Spam.' }),
      })
      expect(response.status).toBe(200)
      titles.push(title)
    }
    // The acceptance of one email is lost with the process.
    await expect.poll(() => server.received.length, SOON).toBeGreaterThan(round * DECISIONS)
    await site.kill('SIGKILL')
    await site.start({ SMTP_URL: server.url })
    expect(await site.waitUntilReady()).toBe(true)
  }
  const startedAt = new Date()
  const received = () => server.received.map(({ mail }) => /“(Round.+)”:/.exec(mail.text ?? '')?.[1] ?? '')
  const readStates = async () => {
    // Jobs of the dead process are repeated after a minute.
    await sql`update jobs.job set state = 'retry' where name = 'send-email' and state = 'active'
      and started_on < ${startedAt}`.execute(db)
    await sql`update jobs.job set start_after = now() where name = 'send-email' and state = 'retry'`.execute(db)
    const { rows } = await sql<{ state: string }>`select distinct state from emails`.execute(db)
    return rows.map(({ state }) => state)
  }
  await expect.poll(readStates, SOON).toEqual(['sent'])
  expect([...new Set(received())].toSorted()).toEqual(titles.toSorted())
  // Each kill interrupts at most the two emails that are being sent.
  expect(received().length).toBeLessThanOrEqual(titles.length + 2 * ROUNDS)
  const ids = new Set(server.received.map(({ mail }) => mail.messageId))
  expect(ids.size).toBe(titles.length)
}, 300_000)
