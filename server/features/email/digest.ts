import { sql } from 'kysely'
import { MAX_PAGE_SIZE } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isActive } from '#server/features/members/standing.ts'
import { listInbox } from '#server/features/notifications/inbox.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { createEmailMember, isWanted } from './outbox.ts'
import type { EmailContent } from './template.ts'

export interface DigestOptions {
  db: Database
  jobs: JobQueue
  siteName: () => string
}

const BATCH = 500
const MAX_SHOWN = 20
/** The inbox lists no more. */
const MAX_COUNTED = 100

const periodSeconds = sql`(case digest when 'daily' then 86400 else 604800 end)`

export async function enqueueDigests(db: Database, jobs: JobQueue): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // At the same time of day, also if the site was stopped when it was due.
    const { rows } = await sql<{ member_id: number }>`with due as (
        select member_id from email_addresses where next_digest_at <= now()
        order by next_digest_at limit ${BATCH} for update skip locked
      )
      update email_addresses a set next_digest_at = next_digest_at + interval '1 second' * ${periodSeconds}
        * (1 + floor(extract(epoch from now() - next_digest_at) / ${periodSeconds}))
      from due where a.member_id = due.member_id returning a.member_id`.execute(trx)
    for (const { member_id: memberId } of rows) {
      await jobs.enqueue(trx, 'write-digest', { memberId }, { key: String(memberId) })
    }
  })
}

/** Writes the digest of a member who wants one and has unread notifications. */
export async function writeDigest({ db, jobs, siteName }: DigestOptions, memberId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ digested_through: Date }>`select a.digested_through from email_addresses a
        join members m on m.id = a.member_id
        where a.member_id = ${memberId} and ${isWanted('a', 'digest')} and ${isActive('m')} for update of a`.execute(
      trx,
    )
    const [row] = rows
    if (!row) return
    // Prizes stay on the site: they have a value.
    const { notifications } = await listInbox(trx, memberId, { limit: MAX_PAGE_SIZE }, async () => new Map())
    const since = row.digested_through.toISOString()
    const unread = notifications.filter(({ is_read, created_at }) => !is_read && created_at > since)
    const [newest] = unread
    if (!newest) return
    await sql`update email_addresses set digested_through = ${newest.created_at} where member_id = ${memberId}`.execute(
      trx,
    )
    await createEmailMember(jobs)(trx, { memberId, kind: 'digest', content: describeDigest(unread, siteName()) })
  })
}

function describeDigest(unread: readonly Notification[], siteName: string): EmailContent {
  const count = unread.length >= MAX_COUNTED ? `${MAX_COUNTED} or more` : String(unread.length)
  const rest = unread.length - MAX_SHOWN
  return {
    subject: `${count} new ${unread.length === 1 ? 'notification' : 'notifications'} on ${siteName}`,
    blocks: [
      ...unread.slice(0, MAX_SHOWN).map(({ title, message, link }) => ({
        type: 'item' as const,
        title,
        text: message,
        url: link,
      })),
      ...(rest > 0 ? [{ type: 'text' as const, text: `And ${rest} more, which you find on the site.` }] : []),
      { type: 'button' as const, label: `Open ${siteName}`, url: '/' },
    ],
  }
}
