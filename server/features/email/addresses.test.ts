import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createTestApp } from '#tests/support/app.ts'
import { createEmailSite, type EmailSite, linkIn, type Recipient, SOON } from '#tests/support/email-site.ts'
import { giveAddress, type ReceivedEmail } from '#tests/support/email.ts'
import { makeApiToken, signIn } from '#tests/support/factories.ts'

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

const waitAMinute = () =>
  sql`update limit_uses set uses = array(select used_at - interval '61 seconds' from unnest(uses) used_at)`.execute(
    site.db,
  )
const confirm = async (email: ReceivedEmail) => {
  const { status } = await site.open('POST', linkIn(email, '/email/confirm'))
  expect(status).toBe(200)
}

test.each(['jörg@example.com', 'jo\u0308rg@example.com'])(
  '%j, with letters of any script, receives email',
  async (address) => {
    expect((await member.enter(address)).status).toBe(202)
    const email = await site.waitForEmail()
    expect(email.to).toEqual(['jörg@example.com'])
    await confirm(email)
    expect(await member.read()).toMatchObject({ address: 'jörg@example.com' })
  },
)

describe('a new address', () => {
  test('receives email once its link was opened and the button pressed', async () => {
    expect(await member.read()).toMatchObject({
      address: null,
      pending_address: null,
      digest: 'weekly',
      sign_ins: true,
    })
    expect(await member.enter('Ada@Exämple.COM')).toMatchObject({
      status: 202,
      address: null,
      pending_address: 'Ada@xn--exmple-cua.com',
    })
    const email = await site.waitForEmail()
    expect(email.to).toEqual(['Ada@exämple.com'])
    expect(email.mail.subject).toBe('Confirm your email address for Yard')
    expect(email.raw).not.toMatch(/List-Unsubscribe/i)
    const link = linkIn(email, '/email/confirm')

    const page = await site.open('GET', link)
    expect(page).toMatchObject({ status: 200 })
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    expect(page.html).toContain('Ada@xn--exmple-cua.com')
    expect(page.html).toContain(`action="${link}"`)
    // Mail servers open links to check them.
    expect((await member.read()).address).toBeNull()

    await confirm(email)
    expect(await member.read()).toMatchObject({ address: 'Ada@xn--exmple-cua.com', pending_address: null })
    expect(await member.findNotifications()).toEqual(['New email address'])
    expect(await member.findAudit()).toEqual(['confirm_email_address'])
    const { rows } = await sql`select before, after from audit_log where member_id = ${member.id}`.execute(site.db)
    expect(JSON.stringify(rows)).not.toContain('mple')
  })

  test('is confirmed once, for a day, and only by its latest link', async () => {
    await member.enter('ada@example.com')
    const first = linkIn(await site.waitForEmail(), '/email/confirm')
    await waitAMinute()
    await member.enter('ada@example.com')
    const second = linkIn(await site.waitForEmail(2), '/email/confirm')
    expect(second).not.toBe(first)
    expect(await site.open('POST', first)).toMatchObject({ status: 404 })
    await sql`update email_confirmations set created_at = now() - interval '25 hours'`.execute(site.db)
    expect((await site.open('POST', second)).html).toContain('does not work any more')
    expect((await member.read()).pending_address).toBeNull()
    await sql`update email_confirmations set created_at = now() - interval '23 hours'`.execute(site.db)
    const answers = await Promise.all([site.open('POST', second), site.open('POST', second)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await site.open('GET', second)).toMatchObject({ status: 404 })
  })

  test('is stored with a hash of its token only', async () => {
    await member.enter('ada@example.com')
    const token = linkIn(await site.waitForEmail(), '/email/confirm').split('=')[1] ?? ''
    expect(token.length).toBeGreaterThan(40)
    const { rows } = await sql<{ text: string }>`select e::text || c::text as text from emails e
      join email_confirmations c using (member_id) where member_id = ${member.id}`.execute(site.db)
    expect(rows[0]?.text).toContain('ada@example.com')
    expect(rows[0]?.text).not.toContain(token)
  })

  test('replaces the former one, which is notified', async () => {
    await giveAddress(site.db, member.id, 'old@example.com')
    await member.enter('new@example.com')
    expect(await member.read()).toMatchObject({ address: 'old@example.com', pending_address: 'new@example.com' })
    await confirm(await site.waitForEmail())
    const { to, mail } = await site.waitForEmail(2)
    expect([to, mail.subject]).toEqual([['old@example.com'], 'Your email address was changed'])
    expect(mail.text).not.toContain('new@example.com')
    expect(await member.read()).toMatchObject({ address: 'new@example.com', pending_address: null })
  })

  test.each([
    '',
    'ada',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'a b@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    '"ada"@example.com',
    'Ada <ada@example.com>',
    'ada..b@example.com',
    'ada@-example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'ö'.repeat(33)}@example.com`,
    `ada@${'example.'.repeat(40)}com`,
    'ada\u{202E}@example.com',
  ])('that is %j is rejected', async (address) => {
    const answer = await member.enter(address)
    expect(answer).toMatchObject({
      status: 400,
      fields: { address: 'Enter an email address, such as name@example.com.' },
    })
  })

  test('cannot be asked for often', async () => {
    expect((await member.enter('one@example.com')).status).toBe(202)
    expect(await member.enter('two@example.com')).toMatchObject({ status: 429, code: 'too_many_confirmations' })
    for (let i = 0; i < 4; i++) {
      await waitAMinute()
      expect((await member.enter(`more${i}@example.com`)).status).toBe(202)
    }
    await waitAMinute()
    expect(await member.enter('last@example.com')).toMatchObject({ status: 429, code: 'too_many_confirmations' })
  })

  test('cannot be asked for often by many members, also at the same time', async () => {
    const members = await Promise.all(Array.from({ length: 6 }, () => site.addRecipient()))
    const answers = await Promise.all(members.map((one) => one.enter('victim@example.com')))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 202)).toMatchObject({ status: 429, code: 'too_many_confirmations' })
  })

  test('cannot be asked for often at the same time', async () => {
    await giveAddress(site.db, member.id)
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => member.enter(`same${i}@example.com`)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
  })

  test('is not asked for again if it is confirmed', async () => {
    await giveAddress(site.db, member.id, 'ada@example.com')
    expect(await member.enter('ada@example.com')).toMatchObject({ status: 409, code: 'already_confirmed' })
  })

  test('cannot be confirmed for a member who was banned since', async () => {
    await member.enter('ada@example.com')
    const link = linkIn(await site.waitForEmail(), '/email/confirm')
    await sql`update members set banned_until = 'infinity' where id = ${member.id}`.execute(site.db)
    expect(await site.open('GET', link)).toMatchObject({ status: 404 })
    expect(await site.open('POST', link)).toMatchObject({ status: 404 })
  })
})

const countRetries = async () => {
  const { rows } = await sql`select from jobs.job where name = 'send-email' and state = 'retry'`.execute(site.db)
  return rows.length
}

describe('removing the address', () => {
  test('drops what was not sent and forgets choices and devices', async () => {
    await giveAddress(site.db, member.id)
    await member.call('PUT', 'email-settings', { digest: 'daily' })
    await waitAMinute()
    site.server.misbehaviors.push({ type: 'reject', step: 'recipient', code: 450, text: '4.2.0 Later' })
    await member.enter('new@example.com')
    await expect.poll(() => site.server.misbehaviors.length, SOON).toBe(0)
    expect(await member.call('DELETE', 'email-address')).toMatchObject({ status: 200, address: null, digest: 'weekly' })
    await site.skipDelays()
    await expect.poll(countRetries, SOON).toBe(0)
    await site.waitForJobs()
    expect(site.server.received).toEqual([])
    const { rows } = await sql`select from known_devices where member_id = ${member.id}`.execute(site.db)
    expect(rows).toEqual([])
    expect(await member.findAudit()).toEqual(['remove_email_address'])
    expect(await member.findNotifications()).toEqual(['Email address removed'])
    await member.call('DELETE', 'email-address')
    expect(await member.findAudit()).toHaveLength(1)
  })

  test('is part of deleting the account, with pending email', async () => {
    await giveAddress(site.db, member.id, 'gone@example.com')
    site.server.misbehaviors.push({ type: 'reject', step: 'recipient', code: 450, text: '4.2.0 Later' })
    await member.enter('gone2@example.com')
    await expect.poll(() => site.server.misbehaviors.length, SOON).toBe(0)
    const { rows } = await sql<{ username: string }>`select username from members where id = ${member.id}`.execute(
      site.db,
    )
    const response = await site.app.inject({
      method: 'DELETE',
      url: '/api/account',
      headers: member.headers,
      payload: { username: rows[0]?.username },
    })
    expect(response.statusCode).toBe(200)
    for (const table of ['email_addresses', 'email_confirmations', 'emails', 'known_devices']) {
      const left = await sql`select from ${sql.table(table)} where member_id = ${member.id}`.execute(site.db)
      expect(left.rows, table).toEqual([])
    }
    await site.skipDelays()
    // A later email shows that the job of the deleted one has run.
    const other = await site.addRecipient()
    await other.enter('after@example.com')
    expect((await site.waitForEmail()).to).toEqual(['after@example.com'])
  })
})

test('the data export has the address, the choices and the log', async () => {
  await giveAddress(site.db, member.id, 'ada@example.com')
  await member.enter('new@example.com')
  await site.waitForEmail()
  const data = (await site.app.inject({ url: '/api/account-data', headers: member.headers })).json<
    Record<string, unknown>
  >()
  expect(data['email_settings']).toMatchObject({ address: 'ada@example.com', digest: 'weekly' })
  expect(data['email_address_to_confirm']).toMatchObject({ address: 'new@example.com' })
  expect(data['emails']).toMatchObject([{ kind: 'confirmation', address: 'new@example.com' }])
  expect(data['known_devices']).toHaveLength(1)
  expect(JSON.stringify(data)).not.toMatch(/token_hash|device_hash/)
})

test('API tokens do not change where email goes', async () => {
  const headers = await makeApiToken(site.db, member.id)
  const payload = { address: 'eve@example.com' }
  const response = await site.app.inject({ method: 'PUT', url: '/api/email-address', headers, payload })
  expect([response.statusCode, response.json().code]).toEqual([403, 'token_not_allowed'])
})

test('old emails, expired confirmations and unused devices are deleted', async () => {
  await giveAddress(site.db, member.id)
  await member.enter('new@example.com')
  await site.waitForEmail()
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select (select count(*) from emails where member_id = ${member.id})
      + (select count(*) from email_confirmations where member_id = ${member.id})
      + (select count(*) from known_devices where member_id = ${member.id}) as count`.execute(site.db)
    return rows[0]?.count
  }
  await deleteDueData(site.db)
  expect(await count()).toBe(3)
  await sql`update emails set created_at = now() - interval '31 days'`.execute(site.db)
  await sql`update email_confirmations set created_at = now() - interval '25 hours'`.execute(site.db)
  await sql`update known_devices set seen_at = now() - interval '181 days'`.execute(site.db)
  await deleteDueData(site.db)
  expect(await count()).toBe(0)
})

test('a site without a mail server offers no email', async () => {
  const plain = await createTestApp()
  try {
    const as = await signIn(plain.db)
    expect((await plain.app.inject('/api/site')).json()).toMatchObject({ has_email: false })
    expect((await plain.app.inject('/api/openapi.json')).payload).not.toContain('/api/email-')
    for (const [method, url] of [
      ['GET', '/api/email-settings'],
      ['PUT', '/api/email-settings'],
      ['PUT', '/api/email-address'],
      ['DELETE', '/api/email-address'],
    ] as const) {
      const payload = method === 'PUT' && { payload: url.endsWith('address') ? { address: 'ada@example.com' } : {} }
      const response = await plain.app.inject({ method, url, headers: as, ...payload })
      expect([response.statusCode, response.json().code], url).toEqual([404, 'email_unavailable'])
    }
    for (const url of ['/email/confirm', '/email/unsubscribe', '/email/bounces']) {
      expect((await plain.app.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(404)
    }
  } finally {
    await plain.close()
  }
})
