import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEmailSite, type EmailSite, linkIn, type Recipient } from '#tests/support/email-site.ts'
import { giveAddress, type ReceivedEmail } from '#tests/support/email.ts'

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

describe('unsubscribing', () => {
  let link: string
  let email: ReceivedEmail

  beforeEach(async () => {
    await giveAddress(site.db, member.id, 'ada@example.com')
    await member.queueDecision()
    email = await site.waitForEmail()
    link = linkIn(email, '/email/unsubscribe')
  })

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
  ])('works with one request of a mail client as %s', async (type, payload) => {
    const list = email.mail.headers.get('list') as unknown as { unsubscribe: { url: string } }
    expect(list.unsubscribe.url).toBe(`http://localhost:3000${link}`)
    expect(email.raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const response = await site.app.inject({ method: 'POST', url: link, headers: { 'content-type': type }, payload })
    expect(response.statusCode).toBe(200)
    expect(await member.read()).toMatchObject({
      decisions: false,
      sign_ins: true,
      digest: 'weekly',
      address: 'ada@example.com',
    })
  })

  test('shows a page with a button, and opening it changes nothing', async () => {
    const { status, html } = await site.open('GET', link)
    expect(status).toBe(200)
    expect(html).toContain('<form method="post"')
    expect(await member.read()).toMatchObject({ decisions: true })
    expect((await site.open('POST', link)).html).toContain('You are unsubscribed')
    expect(await member.read()).toMatchObject({ decisions: false })
    expect((await site.open('POST', link)).status).toBe(200)
  })

  test('does not change the choices for another address', async () => {
    await sql`update email_addresses set address = 'new@example.com' where member_id = ${member.id}`.execute(site.db)
    expect((await site.open('POST', link)).status).toBe(200)
    expect(await member.read()).toMatchObject({ decisions: true })
  })

  test('needs the token of the email', async () => {
    const other = link.replace('.decision.', '.digest.')
    for (const url of [
      other,
      link.slice(0, -1),
      `${link}x`,
      '/email/unsubscribe',
      `${link}&token=x`,
      `/email/unsubscribe?token=${'9'.repeat(300)}`,
    ]) {
      expect(await site.open('POST', url), url).toMatchObject({ status: 404 })
    }
    expect(await member.read()).toMatchObject({ decisions: true, digest: 'weekly' })
  })

  test('takes a small form only', async () => {
    const large = await site.app.inject({
      method: 'POST',
      url: link,
      headers: { 'content-type': 'text/plain' },
      payload: 'x'.repeat(5000),
    })
    expect(large.statusCode).toBe(413)
    expect(await member.read()).toMatchObject({ decisions: true })
  })
})

test('the pages behind links have the colors of the site and load nothing', async () => {
  const { html, headers } = await site.open('GET', '/email/confirm?token=x')
  const tokens = readFileSync('web/styles.css', 'utf8').replaceAll(/\s/g, '')
  const colors = [...html.matchAll(/--[\w-]+:(light-dark\([^)]+\)|#\w+)/g)].map(([token]) => token)
  expect(colors.length).toBeGreaterThan(5)
  expect(colors.filter((token) => !tokens.includes(token))).toEqual([])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(html).not.toMatch(/<script|<img|<link|url\(/)
})
