import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EmailLinks } from '#server/features/email/links.ts'
import { giveAddress } from '#tests/support/email.ts'
import { createEmailSite, type EmailSite, linkIn, type Recipient } from '#tests/support/email-site.ts'
import { makeApiToken } from '#tests/support/factories.ts'
import { checkVersions, publish } from '#tests/support/scripts.ts'

const SENDS = `local http = game:GetService("HttpService")
http:PostAsync("https://discord.com/api/webhooks/1234567890/abcdefghijklmnopqrstuvwxyz", "{}")
`

let site: EmailSite
let author: Recipient
beforeAll(async () => {
  site = await createEmailSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.reset()
  author = await site.addRecipient()
  await giveAddress(site.db, author.id, `ada${author.id}@example.com`)
  await sql`update email_addresses set sign_ins = false, decisions = false, digest = 'off'
    where member_id = ${author.id}`.execute(site.db)
})

/** Somebody publishes a version with the author's token. Returns the id of the script. */
async function publishWithToken(): Promise<number> {
  const id = await publish(site, author.headers, { title: 'A “quiet” clock' })
  const { authorization } = await makeApiToken(site.db, author.id, ['versions:write'])
  const response = await site.app.inject({
    method: 'PUT',
    url: `/api/script-versions?id=${id}`,
    headers: { authorization },
    payload: { script_content: SENDS, version: '1.1.0' },
  })
  expect(response.statusCode).toBe(202)
  await checkVersions(site)
  return id
}

const readState = async (id: number) => {
  const { rows } = await sql<{ state: string; discard_reason: string | null }>`select state, discard_reason
    from script_versions where script_id = ${id} and number = 2`.execute(site.db)
  return rows[0]
}
const count = async (table: 'sessions' | 'api_tokens') => {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}
    where member_id = ${author.id}`.execute(site.db)
  return rows[0]?.count
}

describe('the email about a held version', () => {
  test('comes at once, also to members who chose no email, and says why', async () => {
    await publishWithToken()
    const { mail } = await site.waitForEmail()
    expect(mail.subject).toBe('Version 1.1.0 of “A “quiet” clock” waits for you')
    expect(mail.text).toContain('it would start to send messages to a Discord webhook, line 2')
    expect(mail.text).toMatch(/\/scripts\/[\w-]+#waiting/)
    expect(mail.headers.has('list-unsubscribe')).toBe(false)
  })

  test('undoes the version with a link that needs no session and changes nothing when it is opened', async () => {
    const id = await publishWithToken()
    const link = linkIn(await site.waitForEmail(), '/email/not-me')
    const page = await site.open('GET', link)
    expect(page).toMatchObject({ status: 200 })
    expect(page.html).toContain('version 1.1.0')
    expect(await readState(id)).toMatchObject({ state: 'held' })
    expect([await count('sessions'), await count('api_tokens')]).toEqual([1, 1])

    expect((await site.open('POST', link)).html).toContain('The version is discarded')
    expect(await readState(id)).toEqual({ state: 'discarded', discard_reason: 'Its author did not publish it.' })
    expect([await count('sessions'), await count('api_tokens')]).toEqual([0, 0])
    expect((await site.open('POST', link)).html).toContain('You are signed out everywhere')
  })

  test('works for its version only, as it was signed, for 30 days', async () => {
    const id = await publishWithToken()
    const link = linkIn(await site.waitForEmail(), '/email/not-me')
    for (const url of [link.replace('.2.', '.1.'), link.slice(0, -1), `${link}x`, '/email/not-me']) {
      expect(await site.open('POST', url), url).toMatchObject({ status: 404 })
    }
    const links = new EmailLinks(site.config, 'http://localhost:3000')
    const old = new URL(links.notMeUrl({ memberId: author.id, scriptId: id, number: 2 }, Date.now() - 31 * 86_400_000))
    expect(await site.open('POST', old.pathname + old.search)).toMatchObject({ status: 404 })
    expect(await readState(id)).toMatchObject({ state: 'held' })
  })

  test('does not follow a script to another author', async () => {
    const id = await publishWithToken()
    const link = linkIn(await site.waitForEmail(), '/email/not-me')
    const other = await site.addRecipient()
    await sql`update scripts set author_id = ${other.id} where id = ${id}`.execute(site.db)
    expect(await site.open('POST', link)).toMatchObject({ status: 404 })
    expect(await count('sessions')).toBe(1)
  })

  test('is sent 20 times a day at most', async () => {
    await sql`insert into emails (member_id, kind, address, state) select ${author.id}, 'version_held', 'a@example.com', 'sent'
      from generate_series(1, 20)`.execute(site.db)
    await publishWithToken()
    await site.waitForJobs()
    expect(site.server.received).toEqual([])
    expect(await author.findNotifications()).toContain('A version waits for you')
  })
})
