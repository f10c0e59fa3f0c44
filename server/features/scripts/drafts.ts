// What members have not published yet. Private: a key of another member is like one that never was.
import { sql } from 'kysely'
import type { Draft, DraftContent } from '#contract/drafts.ts'
import { MAX_DRAFTS } from '#contract/limits.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { scriptNotFound } from './visibility.ts'

export const DRAFT_LIFETIME = '90 days'

interface DraftKey {
  memberId: number
  key: string
}

interface DraftRow {
  key: string
  script_id: number | null
  updated_at: Date
}

type DraftState = Omit<Draft, 'content'>

const toState = ({ key, script_id, updated_at }: DraftRow): DraftState => ({
  key,
  script_id,
  updated_at: updated_at.toISOString(),
})

/** Without their content, newest first. */
export async function listDrafts(db: Database, memberId: number): Promise<DraftState[]> {
  const { rows } = await sql<DraftRow>`select key, script_id, updated_at from drafts
    where member_id = ${memberId} order by updated_at desc, key`.execute(db)
  return rows.map(toState)
}

/** Throws AppError `not_found`. */
export async function getDraft(db: Database, { memberId, key }: DraftKey): Promise<Draft> {
  const { rows } = await sql<
    DraftRow & { content: DraftContent }
  >`select key, script_id, updated_at, content from drafts
    where member_id = ${memberId} and key = ${key}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('This draft')
  return { ...toState(row), content: row.content }
}

/** The id of the script that a draft changes; null for a new script, whose key has 32 characters. */
const scriptIdOf = (key: string): number | null => (key.length < 32 ? Number(key) : null)

const draftChanged = () =>
  new AppError('changed_meanwhile', 409, 'This draft was changed on another device. Load it before you store yours.')

/**
 * Stores a draft over the state that it was made from, and deletes the member's oldest beyond the limit. Throws AppError
 * `changed_meanwhile`, `script_not_found` for a script of others, and what `lockMember` throws.
 */
export function saveDraft(
  db: Database,
  { memberId, key }: DraftKey,
  { content, base }: { content: DraftContent; base: string | null },
): Promise<Date> {
  const scriptId = scriptIdOf(key)
  // Exclusive, so that concurrent requests cannot pass the limit or overwrite each other.
  return transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    if (scriptId !== null) await requireAuthor(trx, scriptId, memberId)
    const { rows } = await sql<{ updated_at: Date }>`select updated_at from drafts
      where member_id = ${memberId} and key = ${key}`.execute(trx)
    const [stored] = rows
    if (stored && stored.updated_at.getTime() !== Date.parse(base ?? '')) throw draftChanged()
    // Clients send the time back in milliseconds.
    const { rows: saved } = await sql<{ updated_at: Date }>`
      insert into drafts (member_id, key, script_id, content, updated_at)
      values (${memberId}, ${key}, ${scriptId}, ${JSON.stringify(content)}, date_trunc('milliseconds', clock_timestamp()))
      on conflict (member_id, key) do update set content = excluded.content,
        updated_at = greatest(excluded.updated_at, drafts.updated_at + interval '1 ms')
      returning updated_at`.execute(trx)
    await sql`delete from drafts where member_id = ${memberId} and key in (select key from drafts
      where member_id = ${memberId} order by updated_at desc, key offset ${MAX_DRAFTS})`.execute(trx)
    const [row] = saved
    if (!row) throw new Error('A draft was not stored.')
    return row.updated_at
  })
}

async function requireAuthor(trx: Transaction, scriptId: number, memberId: number): Promise<void> {
  const { rows } = await sql`select from scripts where id = ${scriptId} and author_id = ${memberId}`.execute(trx)
  if (rows.length === 0) throw scriptNotFound()
}

export async function deleteDraft(db: Database | Transaction, { memberId, key }: DraftKey): Promise<void> {
  await sql`delete from drafts where member_id = ${memberId} and key = ${key}`.execute(db)
}
