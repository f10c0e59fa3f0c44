import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'

const KEY = /^[!-~]{1,100}$/
const KEPT = sql`interval '24 hours'`

/** A wish to publish that counts once, however often it comes. */
export interface PublishKey {
  memberId: number
  key: string
  bodySha256: Buffer
}

/** What a wish was answered with. */
export interface Answered {
  id: number
  title: string
}

/** Reads the `idempotency-key` header; undefined without one. Throws AppError `invalid`. */
export function readPublishKey(
  memberId: number,
  header: string | string[] | undefined,
  body: Record<string, unknown>,
): PublishKey | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !KEY.test(header)) {
    const sentence = 'The idempotency key must be 1 to 100 visible ASCII characters.'
    throw new AppError('invalid', 400, sentence, { fields: { 'idempotency-key': sentence } })
  }
  // The same fields in another order are the same wish.
  const text = JSON.stringify(Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { memberId, key: header, bodySha256: createHash('sha256').update(text).digest() }
}

interface KeyRow {
  body_sha256: Buffer
  script_id: number | null
  title: string | null
}

/** What this wish was answered with before. Throws AppError `idempotency_key_reused` where the key stood for another one. */
export async function findAnswered(db: Database, wish: PublishKey): Promise<Answered | undefined> {
  const { rows } = await sql<KeyRow>`select body_sha256, script_id, title from publish_keys
    where member_id = ${wish.memberId} and key = ${wish.key} and created_at >= now() - ${KEPT}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  if (!row.body_sha256.equals(wish.bodySha256)) {
    throw new AppError('idempotency_key_reused', 409, 'This was already sent with other content. Please send it anew.')
  }
  return row.script_id === null || row.title === null ? undefined : { id: row.script_id, title: row.title }
}

/**
 * Takes the key for this transaction and says whether it was free. While another transaction holds it this waits for its
 * end, so of many that come at once one publishes and the others find its answer.
 */
export async function takeKey(trx: Database, wish: PublishKey): Promise<boolean> {
  const { rows } = await sql`insert into publish_keys as known (member_id, key, body_sha256)
    values (${wish.memberId}, ${wish.key}, ${wish.bodySha256})
    on conflict (member_id, key) do update set body_sha256 = excluded.body_sha256, script_id = null, title = null,
      created_at = now() where known.created_at < now() - ${KEPT}
    returning 1`.execute(trx)
  return rows.length > 0
}

export async function noteAnswered(trx: Database, wish: PublishKey, { id, title }: Answered): Promise<void> {
  await sql`update publish_keys set script_id = ${id}, title = ${title}
    where member_id = ${wish.memberId} and key = ${wish.key}`.execute(trx)
}

/** Forgets the keys of more than a day ago. */
export async function forgetOldKeys(db: Database): Promise<void> {
  await sql`delete from publish_keys where created_at < now() - ${KEPT}`.execute(db)
}
