import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { JOBS_SCHEMA } from '#server/platform/db/job-tables.ts'
import { DEAD_LETTERS, type JobQueue } from '#server/platform/jobs/queue.ts'
import type { ChosenKind } from './links.ts'
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
