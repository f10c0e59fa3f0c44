import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLoginToken } from '#server/features/accounts/sessions.ts'
import { notify, sendToAll } from '#server/features/notifications/notify.ts'
import { createEmailSite, type EmailSite, linkIn, type Recipient, SOON } from '#tests/support/email-site.ts'
import { giveAddress } from '#tests/support/email.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { enqueueDigests } from './digest.ts'
import { resumeEmails } from './outbox.ts'

let site: EmailSite
let member: Recipient
beforeAll(async () => {
  site = await createEmailSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.reset()
  await sql`delete from broadcasts`.execute(site.db)
  await sql`update email_addresses set next_digest_at = null`.execute(site.db)
  member = await site.addRecipient()
  await giveAddress(site.db, member.id)
})

describe('the digest', () => {
  const send = (message: string, link: string | null = null) =>
    site.db
      .transaction()
      .execute((trx) =>
        notify(trx, { memberId: member.id, kind: 'admin', type: 'info', title: 'For you', message, link }),
      )
  const makeDue = async () => {
    await sql`update email_addresses set next_digest_at = now() - interval '1 minute'
      where member_id = ${member.id}`.execute(site.db)
    await enqueueDigests(site.db, site.jobs)
    await site.waitForJobs()
  }
  const nextDigest = async () => {
    const { rows } = await sql<{
      hours: number | null
    }>`select extract(epoch from next_digest_at - now())::float8 / 3600 as hours
      from email_addresses where member_id = ${member.id}`.execute(site.db)
    return rows[0]?.hours ?? null
  }

  test('has the unread notifications since the last one, once', async () => {
    await send('First', '/scripts/spring-1')
    await site.db
      .transaction()
      .execute((trx) => sendToAll(trx, { type: 'info', title: 'News', message: 'To all', sentBy: member.id }))
    await makeDue()
    const { mail } = await site.waitForEmail()
    expect(mail.subject).toBe('2 new notifications on Yard')
    expect(mail.text).toContain('* News\n  To all\n\n* For you\n  First\n  http://localhost:3000/scripts/spring-1\n')
    expect(mail.html).toContain('First')
    expect(linkIn({ mail } as never, '/email/unsubscribe')).toContain('.digest.')
    await makeDue()
    expect(site.server.received).toHaveLength(1)
    await send('Second')
    await makeDue()
    const { mail: next } = await site.waitForEmail(2)
    expect(next.subject).toBe('1 new notification on Yard')
    expect(next.text).not.toContain('First')
  })

  test('is not sent if everything is read or nothing happened', async () => {
    await makeDue()
    await send('Read at once')
    await sql`update notifications set is_read = true where member_id = ${member.id}`.execute(site.db)
    await makeDue()
    expect(site.server.received).toEqual([])
  })

  test('shows twenty and counts the others', async () => {
    for (let i = 1; i <= 25; i++) await send(`Number ${i}.`)
    await makeDue()
    const { mail } = await site.waitForEmail()
    expect(mail.subject).toBe('25 new notifications on Yard')
    expect(mail.text).toContain('Number 6.')
    expect(mail.text).not.toContain('Number 5.')
    expect(mail.text).toContain('And 5 more')
  })

  test('comes daily or weekly at the same time of day, also after a break of the site', async () => {
    await member.call('PUT', 'email-settings', { digest: 'daily' })
    expect(await nextDigest()).toBeCloseTo(24, 1)
    await member.call('PUT', 'email-settings', { digest: 'weekly' })
    expect(await nextDigest()).toBeCloseTo(7 * 24, 1)
    await sql`update email_addresses set next_digest_at = now() - interval '15 days'
      where member_id = ${member.id}`.execute(site.db)
    await enqueueDigests(site.db, site.jobs)
    expect(await nextDigest()).toBeCloseTo(6 * 24, 1)
    await member.call('PUT', 'email-settings', { digest: 'off' })
    expect(await nextDigest()).toBeNull()
  })

  test('starts with what happens after it was turned on', async () => {
    await member.call('PUT', 'email-settings', { digest: 'off' })
    await send('While it was off')
    await member.call('PUT', 'email-settings', { digest: 'daily' })
    await makeDue()
    expect(site.server.received).toEqual([])
  })

  test('is not sent to members who are banned, unsubscribe, or change the address before it is sent', async () => {
    for (const change of [
      (id: number) => sql`update members set banned_until = 'infinity' where id = ${id}`,
      (id: number) => sql`update email_addresses set digest = 'off' where member_id = ${id}`,
      (id: number) => sql`update email_addresses set address = 'new@example.com' where member_id = ${id}`,
    ]) {
      member = await site.addRecipient()
      await giveAddress(site.db, member.id)
      site.server.misbehaviors.push({ type: 'reject', step: 'recipient', code: 450, text: '4.2.0 Greylisted' })
      await send('Soon')
      await makeDue()
      await expect.poll(() => site.server.misbehaviors.length, SOON).toBe(0)
      await change(member.id).execute(site.db)
      await site.skipDelays()
      await expect.poll(findStates, SOON).toEqual(['canceled'])
    }
    expect(site.server.received).toEqual([])
  })

  test('leaves prizes on the site', async () => {
    const prize = { kind: 'prizes', type: 'success', title: 'You won', message: 'won.', link: null } as const
    await site.db.transaction().execute((trx) => notify(trx, { memberId: member.id, ...prize }))
    await makeDue()
    expect((await site.waitForEmail()).mail.text).not.toContain('Your prize')
  })
})

const findStates = async () => {
  const { rows } = await sql<{ state: string }>`select state from emails where member_id = ${member.id}
    order by created_at`.execute(site.db)
  return rows.map(({ state }) => state)
}

describe('a sign-in', () => {
  const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'

  async function signInFrom(ip: string, userAgent: string, isRepeated = false): Promise<void> {
    const browser = 'b'.repeat(43)
    const token = await site.db.transaction().execute((trx) => createLoginToken(trx, member.id, browser))
    for (let i = 0; i < (isRepeated ? 2 : 1); i++) {
      const headers = { authorization: `Bearer ${token}`, cookie: `sign-in=${browser}`, 'user-agent': userAgent }
      const response = await site.app.inject({ url: '/api/user-profile', headers, remoteAddress: ip })
      expect(response.headers['session-token']).toBeDefined()
    }
    await site.waitForJobs()
  }

  test('from a new browser or network is emailed once', async () => {
    await signInFrom('192.0.2.1', FIREFOX, true)
    const { mail } = await site.waitForEmail()
    expect(mail.subject).toBe('New sign-in to Yard')
    expect(mail.text).toMatch(/Firefox on Windows, \w+ \d+, \d{4} at \d\d:\d\d UTC\./)
    expect(mail.text).toContain('http://localhost:3000/profile/settings?tab=sessions')
    await signInFrom('192.0.2.1', FIREFOX)
    // The same provider, a newer version.
    await signInFrom('192.0.77.9', FIREFOX.replaceAll('140', '150'))
    expect(site.server.received).toHaveLength(1)
    await signInFrom('192.0.2.1', SAFARI)
    await site.waitForEmail(2)
    await signInFrom('2001:db8::1', FIREFOX)
    await site.waitForEmail(3)
    await signInFrom('2001:db8:ffff::2', FIREFOX)
    expect(site.server.received).toHaveLength(3)
  })

  test('is not emailed for the browser in which the member entered the address', async () => {
    member = await site.addRecipient()
    const payload = { address: 'ada@example.com' }
    const headers = { ...member.headers, 'user-agent': FIREFOX }
    await site.app.inject({ method: 'PUT', url: '/api/email-address', headers, payload, remoteAddress: '192.0.2.1' })
    const email = await site.waitForEmail()
    await site.open('POST', linkIn(email, '/email/confirm'))
    await signInFrom('192.0.2.1', FIREFOX)
    expect(site.server.received).toHaveLength(1)
  })

  test('of a member without an address leaves no trace', async () => {
    await member.call('DELETE', 'email-address')
    await signInFrom('192.0.2.1', FIREFOX)
    const { rows } = await sql`select from known_devices where member_id = ${member.id}`.execute(site.db)
    expect([rows, site.server.received]).toEqual([[], []])
  })

  test('is not emailed to members who do not want that', async () => {
    await member.call('PUT', 'email-settings', { sign_ins: false })
    await signInFrom('192.0.2.1', FIREFOX)
    expect(site.server.received).toEqual([])
  })
})

describe('a decision of a moderator', () => {
  const send = async (
    method: 'POST' | 'PUT',
    url: string,
    payload: object,
    values: object = { is_moderator: true },
  ) => {
    const headers = await signIn(site.db, await makeMember(site.db, values))
    const response = await site.app.inject({ method, url, headers, payload })
    expect(response.statusCode, response.body).toBeLessThan(300)
  }
  const HOSTILE = `<img src=x onerror=alert(1)> & "Spring"`

  test('about an own script is emailed with its reason', async () => {
    const scriptId = await makeScript(site.db, { author_id: member.id, title: HOSTILE })
    const subject = { subject_type: 'script', subject_id: scriptId }
    await send('POST', '/api/moderation', { action: 'hide', ...subject, reason: 'Is <b>spam</b>.' })
    const { to, mail } = await site.waitForEmail()
    expect([to, mail.subject]).toEqual([[`member${member.id}@example.com`], 'Your script was hidden'])
    expect(mail.text).toContain(`“${HOSTILE}”: Is <b>spam</b>. You can appeal once.`)
    expect(mail.text).toContain('http://localhost:3000/appeals')
    expect(mail.html).toContain(
      '&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Spring&quot;”: Is &lt;b&gt;spam&lt;/b&gt;.',
    )
    await send('POST', '/api/moderation', { action: 'unhide', ...subject, reason: 'A mistake.' })
    expect((await site.waitForEmail(2)).mail.subject).toBe('Your script is visible again')
  })

  test('of an admin who removes a script is emailed', async () => {
    const script_id = await makeScript(site.db, { author_id: member.id, title: 'Spring' })
    await send('POST', '/api/admin-keys', { action: 'script_delete', script_id }, { is_admin: true })
    expect((await site.waitForEmail()).mail.text).toContain('“Spring” was removed by an admin.')
  })

  test('is not emailed if its transaction fails, or the member does not want that', async () => {
    const scriptId = await makeScript(site.db, { author_id: member.id })
    const subject = { subject_type: 'script', subject_id: scriptId, reason: 'Spam.' }
    await member.call('PUT', 'email-settings', { decisions: false })
    await send('POST', '/api/moderation', { action: 'hide', ...subject })
    await member.call('PUT', 'email-settings', { decisions: true })
    const headers = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
    const payload = { action: 'hide', ...subject }
    const again = await site.app.inject({ method: 'POST', url: '/api/moderation', headers, payload })
    expect(again.json()).toMatchObject({ code: 'already_hidden' })
    await site.waitForJobs()
    expect(site.server.received).toEqual([])
  })
})

describe('an email', () => {
  test('is sent again until the server accepts it, and not after that', async () => {
    site.server.misbehaviors.push(
      { type: 'reject', step: 'recipient', code: 450, text: '4.2.0 Greylisted' },
      { type: 'drop', step: 'message' },
    )
    await member.queueDecision()
    for (let left = 1; left >= 0; left--) {
      await expect.poll(() => site.server.misbehaviors.length, SOON).toBe(left)
      await site.waitForJobs()
      await site.skipDelays()
    }
    await site.waitForEmail()
    await expect.poll(findStates, SOON).toEqual(['sent'])
  })

  test('has the same Message-ID if its acceptance was lost', async () => {
    site.server.misbehaviors.push({ type: 'drop', step: 'accepted' })
    const id = await member.queueDecision()
    await site.waitForEmail()
    await site.waitForJobs()
    await site.skipDelays()
    await site.waitForEmail(2)
    expect(site.server.received.map(({ mail }) => mail.messageId)).toEqual([
      `<${id}@yard.example>`,
      `<${id}@yard.example>`,
    ])
    await expect.poll(findStates, SOON).toEqual(['sent'])
  })

  test('is sent once however often its job runs', async () => {
    const id = await member.queueDecision()
    await site.waitForEmail()
    await expect.poll(findStates, SOON).toEqual(['sent'])
    await site.jobs.enqueue(site.db, 'send-email', { id })
    await site.waitForJobs()
    expect(site.server.received).toHaveLength(1)
  })

  test('is sent although its job is lost, as after the restore of a backup', async () => {
    await sql`insert into emails (member_id, kind, address, content, created_at)
      select member_id, 'decision', address, '{"subject": "Lost", "blocks": []}', now() - interval '11 minutes'
      from email_addresses where member_id = ${member.id}`.execute(site.db)
    await resumeEmails(site.db, site.jobs)
    await resumeEmails(site.db, site.jobs)
    expect((await site.waitForEmail()).mail.subject).toBe('Lost')
    await site.waitForJobs()
    await resumeEmails(site.db, site.jobs)
    await site.waitForJobs()
    expect(site.server.received).toHaveLength(1)
  })

  test('says whose account it is about', async () => {
    await sql`update members set username = ${'eve\u{202E}<b>\r\nBcc: x@example.com'} where id = ${member.id}`.execute(
      site.db,
    )
    await member.queueDecision()
    const { to, mail } = await site.waitForEmail()
    expect(to).toHaveLength(1)
    expect(mail.text).toContain('because of the account eve<b>')
    expect(mail.html).toContain('eve&lt;b&gt;')
    expect(mail.headers.has('bcc')).toBe(false)
  })
})
