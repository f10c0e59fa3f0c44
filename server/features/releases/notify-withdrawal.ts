// Tells members that code which they may use was withdrawn.
import { sql } from 'kysely'
import { publishInboxChange } from '#server/features/notifications/notify.ts'
import { findSuccessor, WITHDRAWAL_COLUMNS, type WithdrawalRow } from '#server/features/scripts/withdrawals.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'

const BATCH = 500

interface Notice {
  script_id: number
  author_id: number
  type: 'warning' | 'error'
  message: string
  link: string
}

/**
 * Notifies everyone who favorited, watches or collected the script. Downloads are counted without the member, so nobody knows who
 * downloaded it. Each batch is a transaction. One notification per member and script, the newest; a repeated run changes nothing.
 */
export async function notifyOfWithdrawal(db: Database, id: number, signal: AbortSignal): Promise<void> {
  const notice = await findNotice(db, id)
  if (!notice) return
  let last = 0
  for (;;) {
    signal.throwIfAborted()
    const after = last
    const members = await db.transaction().execute((trx) => notifyBatch(trx, notice, after))
    if (members.length < BATCH) return
    last = members.at(-1) ?? last
  }
}

async function findNotice(db: Database, id: number): Promise<Notice | undefined> {
  const { rows } = await sql<
    WithdrawalRow & { script_id: number; author_id: number; title: string; current: string | null }
  >`
    select ${WITHDRAWAL_COLUMNS}, s.id as script_id, s.author_id, s.title, case when s.is_public then s.version end as current
    from withdrawals w join scripts s on s.id = w.script_id where w.id = ${id} and w.reinstated_at is null`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { script_id, author_id, title, version, by, reason, is_malicious, current, slug } = row
  const successor = await findSuccessor(db, script_id)
  const sentences = [
    `Version ${version} of “${title}” was withdrawn by ${by === 'author' ? 'its author' : 'moderators'}: ${reason}`,
    'If you have this code, stop using it.',
    ...(current === null ? [] : [`Version ${current} is current now.`]),
    ...(successor ? [`It is replaced by “${successor.title}”.`] : []),
  ]
  const link = `/scripts/${successor && current === null ? successor.slug : slug}`
  return { script_id, author_id, type: is_malicious ? 'error' : 'warning', message: sentences.join('\n'), link }
}

async function notifyBatch(trx: Transaction, notice: Notice, after: number): Promise<number[]> {
  const { script_id, author_id, type, message, link } = notice
  const { rows } = await sql<{ member_id: number; is_new: boolean }>`with audience as (
      select member_id from (
        select member_id from favorites where script_id = ${script_id}
        union select member_id from watches where script_id = ${script_id}
        union select c.owner_id from collection_items i join collections c on c.id = i.collection_id
          where i.script_id = ${script_id}) a
      where member_id > ${after} and member_id <> ${author_id} order by member_id limit ${BATCH}
    ), written as (
      insert into notifications as n (member_id, kind, type, title, message, link, group_key)
      select member_id, 'security', ${type}, 'Withdrawn code', ${message}, ${link}, ${`withdrawn-${script_id}`}
        from audience
      on conflict (member_id, group_key) where group_key is not null do update set type = excluded.type,
        message = excluded.message, link = excluded.link, is_read = false, moved_at = now()
      where n.message <> excluded.message
      returning member_id
    )
    select a.member_id, w.member_id is not null as is_new from audience a left join written w using (member_id)
    order by a.member_id`.execute(trx)
  for (const { member_id, is_new } of rows) if (is_new) await publishInboxChange(trx, member_id)
  return rows.map((row) => row.member_id)
}
