import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { JOBS_SCHEMA } from '#server/platform/db/job-tables.ts'
import { DEAD_LETTERS, type JobQueue } from '#server/platform/jobs/queue.ts'
import type { ChosenKind, EmailLinks, HeldVersionRef } from './links.ts'
import type { EmailContent } from './template.ts'

export interface MemberEmail {
  memberId: number
  kind: ChosenKind
  content: EmailContent
}

/** Sends after the caller's commit. Does nothing if the member does not want the email or the site sends none. */
export type EmailMember = (trx: Transaction, email: MemberEmail) => Promise<void>

export const sendNoEmail: EmailMember = async () => {}

/** SQL condition: the member of this row of `email_addresses` wants a kind of email and can get it. */
export const isWanted = (addresses: string, kind: ChosenKind): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${addresses}.${name}`)
  const isChosen = {
    digest: sql`${column('digest')} <> 'off'`,
    sign_in: column('sign_ins'),
    decision: column('decisions'),
  }[kind]
  return sql`(${column('address')} is not null and ${column('bounced_at')} is null and ${isChosen})`
}

export const createEmailMember =
  (jobs: JobQueue): EmailMember =>
  async (trx, { memberId, kind, content }) => {
    const { rows } = await sql<{ id: string }>`insert into emails (member_id, kind, address, content)
      select member_id, ${kind}, address, ${JSON.stringify(content)}::jsonb from email_addresses a
      where member_id = ${memberId} and ${isWanted('a', kind)} returning id`.execute(trx)
    for (const { id } of rows) await jobs.enqueue(trx, 'send-email', { id }, { memberId })
  }

export interface HoldEmail extends HeldVersionRef {
  title: string
  version: string
  path: string
  /** Why it waits, as a sentence without a period. */
  reasons: string
}

/** Sends after the caller's commit, whatever the member has chosen: somebody else may have published the version. */
export type EmailHold = (trx: Transaction, hold: HoldEmail) => Promise<void>

/** Emails about held versions that a member gets in a day. More than that are only notifications. */
const MAX_HOLD_EMAILS = 20

export const createEmailHold =
  (jobs: JobQueue, links: EmailLinks): EmailHold =>
  async (trx, hold) => {
    const { memberId } = hold
    const content = JSON.stringify(describeHold(hold, links))
    const { rows } = await sql<{ id: string }>`insert into emails (member_id, kind, address, content)
      select member_id, 'version_held', address, ${content}::jsonb from email_addresses
      where member_id = ${memberId} and address is not null and bounced_at is null
        and (select count(*) from emails where member_id = ${memberId} and kind = 'version_held'
          and created_at > now() - interval '1 day') < ${MAX_HOLD_EMAILS} returning id`.execute(trx)
    for (const { id } of rows) await jobs.enqueue(trx, 'send-email', { id }, { memberId })
  }

const describeHold = ({ title, version, path, reasons, ...ref }: HoldEmail, links: EmailLinks): EmailContent => ({
  subject: `Version ${version} of “${title}” waits for you`,
  blocks: [
    { type: 'text', text: `Nobody gets version ${version} yet, because ${reasons}.` },
    { type: 'text', text: 'If you published it, look at what it does and confirm it.' },
    { type: 'button', label: 'See what waits', url: `${path}#waiting` },
    {
      type: 'text',
      text: "If it wasn't you, discard it. That also revokes the token that published it and signs you out everywhere.",
    },
    { type: 'button', label: "This wasn't me", url: links.notMeUrl(ref) },
  ],
})

const RESUMED_AT_ONCE = 500

/** Adds a job for each email that waits without one, as after the restore of a backup, which has no jobs. */
export async function resumeEmails(db: Database, jobs: JobQueue): Promise<void> {
  const { rows } = await sql<{ id: string; member_id: number }>`select id, member_id from emails e
    where state = 'waiting' and created_at < now() - interval '10 minutes' and not exists (
      select from ${sql.table(`${JOBS_SCHEMA}.job`)} j
      where j.name in ('send-email', ${DEAD_LETTERS}) and j.data->>'id' = e.id::text)
    order by created_at limit ${RESUMED_AT_ONCE}`.execute(db)
  for (const { id, member_id: memberId } of rows) await jobs.enqueue(db, 'send-email', { id }, { key: id, memberId })
}

export const CONFIRMATION_LIFETIME = '24 hours'
