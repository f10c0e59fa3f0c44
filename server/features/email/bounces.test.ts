import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEmailSite, type EmailSite, linkIn, type Recipient, SOON } from '#tests/support/email-site.ts'
import { BOUNCE_SECRET, giveAddress } from '#tests/support/email.ts'

let site: EmailSite
let member: Recipient
beforeAll(async () => {
  site = await createEmailSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.reset()
  member = await site.addRecipient()
})

const findEmail = (id: string) =>
  site.db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('an address that bounces', () => {
  test('is turned off when its mail server rejects it, with a notification', async () => {
    await giveAddress(site.db, member.id, 'ada@example.com')
    site.server.misbehaviors.push({ type: 'reject', step: 'recipient', code: 550, text: '5.1.1 No such user' })
    const id = await member.queueDecision()
    await expect.poll(async () => (await member.read()).is_bouncing, SOON).toBe(true)
    expect(await member.findNotifications()).toEqual(['Your email address does not work'])
    expect(await findEmail(id)).toMatchObject({
      state: 'failed',
      response: expect.stringContaining('5.1.1'),
      content: null,
    })
    const { rows } = await sql`select from emails where member_id = ${member.id} and state = 'waiting'`.execute(site.db)
    expect(rows).toEqual([])
    // Confirming it again turns it on.
    expect((await member.enter('ada@example.com')).status).toBe(202)
    await site.open('POST', linkIn(await site.waitForEmail(), '/email/confirm'))
    expect(await member.read()).toMatchObject({ address: 'ada@example.com', is_bouncing: false })
  })

  test('is not turned off when the content is rejected', async () => {
    await giveAddress(site.db, member.id, 'ada@example.com')
    site.server.misbehaviors.push({ type: 'reject', step: 'message', code: 554, text: '5.7.1 Spam' })
    const id = await member.queueDecision()
    await expect.poll(async () => (await findEmail(id)).state, SOON).toBe('failed')
    expect((await member.read()).is_bouncing).toBe(false)
  })

  test('is dropped if it is not confirmed yet', async () => {
    site.server.misbehaviors.push({ type: 'reject', step: 'recipient', code: 550, text: '5.1.1 No such user' })
    await member.enter('typo@example.com')
    await expect.poll(async () => (await member.read()).pending_address, SOON).toBeNull()
    expect(await member.findNotifications()).toEqual(['Your email address does not work'])
  })

  const post = (payload: string, secret = BOUNCE_SECRET) =>
    site.app.inject({
      method: 'POST',
      url: '/email/bounces',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'message/rfc822' },
      payload,
    })

  test('is turned off by a returned email, whichever way it names ours', async () => {
    for (const names of ['message', 'envelope'] as const) {
      member = await site.addRecipient()
      await giveAddress(site.db, member.id, 'ada@example.com')
      const id = await member.queueDecision()
      await expect.poll(async () => (await findEmail(id)).state, SOON).toBe('sent')
      const answer = await post(writeBounce({ id, names }))
      expect([answer.statusCode, answer.json()]).toEqual([200, { outcome: 'recorded' }])
      expect(await member.read()).toMatchObject({ is_bouncing: true })
      await post(writeBounce({ id, names }))
      expect(await member.findNotifications()).toEqual(['Your email address does not work'])
    }
  })

  test('stays on for delays, full mailboxes, other addresses and emails that are not ours', async () => {
    await giveAddress(site.db, member.id, 'ada@example.com')
    const id = await member.queueDecision()
    await expect.poll(async () => (await findEmail(id)).state, SOON).toBe('sent')
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect((await post(writeBounce({ id, action: 'delayed', status: '4.4.1' }))).json()).toEqual({ outcome: 'ignored' })
    expect((await post(writeBounce({ id, status: '5.2.2' }))).json()).toEqual({ outcome: 'recorded' })
    expect((await post(writeBounce({ id: unknown }))).statusCode).toBe(404)
    for (const payload of [
      '',
      'Subject: Hello\r\n\r\nNot a report.',
      '\0\0\0',
      'x'.repeat(100_000),
      '--\r\n'.repeat(5000),
    ]) {
      expect((await post(payload)).json()).toEqual({ outcome: 'ignored' })
    }
    expect(await member.read()).toMatchObject({ is_bouncing: false })
    await sql`update email_addresses set address = 'new@example.com' where member_id = ${member.id}`.execute(site.db)
    await post(writeBounce({ id }))
    expect(await member.read()).toMatchObject({ is_bouncing: false })
  })

  test('cannot be reported without the secret', async () => {
    await giveAddress(site.db, member.id)
    const id = await member.queueDecision()
    for (const secret of ['', 'wrong', `${BOUNCE_SECRET}x`]) {
      expect((await post(writeBounce({ id }), secret)).statusCode).toBe(401)
    }
    expect((await member.read()).is_bouncing).toBe(false)
  })
})

interface BounceText {
  id: string
  names?: 'message' | 'envelope'
  action?: string
  status?: string
}

/** A delivery status notification as Postfix writes it. */
function writeBounce({ id, names = 'message', action = 'failed', status = '5.1.1' }: BounceText): string {
  const envelope = names === 'envelope' ? `Original-Envelope-Id: ${id}\n` : ''
  const original = names === 'message' ? `Message-ID:\n <${id}@yard.example>\n` : ''
  return `From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
To: bounces@yard.example
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="4Xyz/mx.example.net"

--4Xyz/mx.example.net
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--4Xyz/mx.example.net
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
${envelope}Arrival-Date: Thu, 31 Jan 2030 12:00:00 +0000 (UTC)

Final-Recipient: rfc822; ada@example.com
Original-Recipient: rfc822;ada@example.com
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; 550 ${status} <ada@example.com>:
    Recipient address rejected

--4Xyz/mx.example.net
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

From: Yard <mail@yard.example>
${original}Subject: Your script was hidden

--4Xyz/mx.example.net--
`.replaceAll('\n', '\r\n')
}
