import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { EmailSettings } from '#contract/email.ts'
import type { Config } from '#server/platform/config.ts'
import { createTestApp, type TestApp } from './app.ts'
import { MailServer, type ReceivedEmail } from './email.ts'
import { makeMember, signIn } from './factories.ts'

export const SOON = { timeout: 15_000, interval: 30 }

export interface EmailSite extends TestApp {
  server: MailServer
  addRecipient(values?: Parameters<typeof makeMember>[1]): Promise<Recipient>
  /** Waits until no job for email waits or runs, except for those that wait for their next attempt. */
  waitForJobs(): Promise<void>
  reset(): Promise<void>
  /** Waits until the server has received this many emails. Returns the last one. */
  waitForEmail(count?: number): Promise<ReceivedEmail>
  /** Requests a page without a session. */
  open(method: 'GET' | 'POST', url: string): Promise<{ status: number; html: string; headers: Record<string, unknown> }>
  /** Lets attempts that wait for their delay start now. */
  skipDelays(): Promise<void>
}

type Answer = EmailSettings & { status: number; code?: string; error?: string; fields?: Record<string, string> }

export interface Recipient {
  id: number
  headers: { authorization: string }
  call(method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: object): Promise<Answer>
  read(): Promise<Answer>
  enter(address: string): Promise<Answer>
  findNotifications(): Promise<string[]>
  findAudit(): Promise<string[]>
  /** Queues an email about a decision. Returns its id. */
  queueDecision(): Promise<string>
}

export async function createEmailSite(settings: Partial<Config> = {}): Promise<EmailSite> {
  const server = new MailServer()
  await server.start()
  const site = await createTestApp({ email: server.settings, siteName: 'Yard', ...settings }, { runsJobs: true })
  const countJobs = async () => {
    const { rows } = await sql`select from jobs.job
      where name in ('send-email', 'write-digest') and state in ('created', 'active')`.execute(site.db)
    return rows.length
  }
  const waitForJobs = async () => {
    await expect.poll(countJobs, SOON).toBe(0)
  }
  return {
    ...site,
    server,
    addRecipient: async (values) => {
      const id = await makeMember(site.db, values)
      return createRecipient(site, id, await signIn(site.db, id))
    },
    waitForJobs,
    reset: async () => {
      await waitForJobs()
      await sql`delete from emails`.execute(site.db)
      await sql`delete from limit_uses`.execute(site.db)
      server.received.length = 0
      server.misbehaviors.length = 0
    },
    waitForEmail: async (count = 1) => {
      await expect.poll(() => server.received.length, SOON).toBe(count)
      const email = server.received.at(-1)
      if (!email) throw new Error('There is no email.')
      return email
    },
    open: async (method, url) => {
      const response = await site.app.inject({ method, url })
      return { status: response.statusCode, html: response.body, headers: response.headers }
    },
    skipDelays: async () => {
      await waitForJobs()
      await sql`update jobs.job set start_after = now() where name = 'send-email' and state = 'retry'`.execute(site.db)
      // Wakes the queue; there is no such email.
      await site.jobs.enqueue(site.db, 'send-email', { id: randomUUID() })
    },
    close: async () => {
      await site.close()
      await server.close()
    },
  }
}

function createRecipient({ app, db, jobs }: TestApp, id: number, headers: Recipient['headers']): Recipient {
  const call: Recipient['call'] = async (method, path, payload) => {
    const response = await app.inject({ method, url: `/api/${path}`, headers, ...(payload && { payload }) })
    return { ...response.json<Answer>(), status: response.statusCode }
  }
  return {
    id,
    headers,
    call,
    read: () => call('GET', 'email-settings'),
    enter: (address) => call('PUT', 'email-address', { address }),
    findNotifications: async () => {
      const { rows } = await sql<{ title: string }>`select title from notifications
        where member_id = ${id} order by id`.execute(db)
      return rows.map(({ title }) => title)
    },
    findAudit: async () => {
      const { rows } = await sql<{ action: string }>`select action from audit_log
        where member_id = ${id} order by id`.execute(db)
      return rows.map(({ action }) => action)
    },
    queueDecision: async () => {
      const content = JSON.stringify({ subject: 'Your script was hidden', blocks: [{ type: 'text', text: 'Spam.' }] })
      const { rows } = await sql<{ id: string }>`insert into emails (member_id, kind, address, content)
        select member_id, 'decision', address, ${content}::jsonb from email_addresses where member_id = ${id}
        returning id`.execute(db)
      const [email] = rows
      if (!email) throw new Error('The member has no address.')
      await jobs.enqueue(db, 'send-email', { id: email.id })
      return email.id
    },
  }
}

/** The path of the first link in an email that starts like this. */
export function linkIn({ mail }: ReceivedEmail, path: string): string {
  const link = new RegExp(`http://localhost:3000(${path}\\S+)`).exec(mail.text ?? '')?.[1]
  if (!link) throw new Error(`The email has no link to ${path}.`)
  return link
}
