import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { NewScript } from '#contract/script-input.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'
import { writeSearchRow } from '#server/features/catalogue/search-document.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { storeImageInput } from '#server/features/media/upload.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { AppError } from '#server/http/errors.ts'
import type { WritingOptions } from './read.ts'
import { type ParsedScript, parseNewScript } from './script-input.ts'
import { setTags } from './tags.ts'

/** What a member wants to publish. */
interface PublishRequest {
  authorId: number
  body: NewScript
  /** The `idempotency-key` header as it came. */
  key: string | string[] | undefined
}

interface Published extends PublishResult {
  slug: string
}

const named = ({ id, title }: PublishResult): Published => ({ id, title, slug: scriptSlug(title, id) })

/**
 * Publishes a script once: the same wish under the same key within 24 hours gives the script that was made first. Throws
 * AppError `invalid`, `bad_image`, `image_too_large`, `idempotency_key_reused`, and what `lockStanding` throws.
 */
export async function publishScript(
  options: WritingOptions,
  { authorId, body, key }: PublishRequest,
): Promise<Published> {
  const { db, media } = options
  const given = parseNewScript(body)
  const wish = parsePublishKey(authorId, key, body)
  const former = wish && (await findPublishResult(db, wish))
  if (former) return named(former)
  const image = await storeImageInput(db, media, 'image', body.image ?? null)
  const made = await db.transaction().execute(async (trx) => {
    const author = await lockMember(trx, authorId)
    if (wish && !(await claimKey(trx, wish))) return findPublishResult(trx, wish)
    const id = await insertScript(trx, { ...given, authorId, image })
    await writeSearchRow(trx, id, given.properties, author)
    const answer = { id, title: given.properties.title }
    if (wish) await recordPublishResult(trx, wish, answer)
    return answer
  })
  if (!made) throw new Error('A key is taken and names no script')
  return named(made)
}

interface NewRow extends ParsedScript {
  authorId: number
  image: string | null
}

async function insertScript(trx: Database, { properties, code, authorId, image }: NewRow): Promise<number> {
  const { tags, ...columns } = properties
  // The API speaks in milliseconds; a state is known again by this time.
  const now = sql<Date>`date_trunc('milliseconds', now())`
  const { id } = await trx
    .insertInto('scripts')
    .values({
      ...columns,
      title_key: fold(columns.title),
      author_id: authorId,
      image,
      file_size: code.size,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('script_versions')
    .values({ ...code, script_id: id, number: 1, version: columns.version })
    .execute()
  await trx.insertInto('script_stats').values({ script_id: id }).execute()
  await setTags(trx, id, tags)
  return id
}

const KEY = /^[!-~]{1,100}$/
const RETENTION = sql`interval '24 hours'`

/** A wish to publish that counts once, however often it comes. */
interface PublishKey {
  memberId: number
  key: string
  bodySha256: Buffer
}

/** What a wish was answered with. */
interface PublishResult {
  id: number
  title: string
}

/** Reads the `idempotency-key` header; undefined without one. Throws AppError `invalid`. */
function parsePublishKey(
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
async function findPublishResult(db: Database, wish: PublishKey): Promise<PublishResult | undefined> {
  const { rows } = await sql<KeyRow>`select body_sha256, script_id, title from publish_keys
    where member_id = ${wish.memberId} and key = ${wish.key} and created_at >= now() - ${RETENTION}`.execute(db)
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
async function claimKey(trx: Database, wish: PublishKey): Promise<boolean> {
  const { rows } = await sql`insert into publish_keys as known (member_id, key, body_sha256)
    values (${wish.memberId}, ${wish.key}, ${wish.bodySha256})
    on conflict (member_id, key) do update set body_sha256 = excluded.body_sha256, script_id = null, title = null,
      created_at = now() where known.created_at < now() - ${RETENTION}
    returning 1`.execute(trx)
  return rows.length > 0
}

async function recordPublishResult(trx: Database, wish: PublishKey, { id, title }: PublishResult): Promise<void> {
  await sql`update publish_keys set script_id = ${id}, title = ${title}
    where member_id = ${wish.memberId} and key = ${wish.key}`.execute(trx)
}

/** Forgets the keys of more than a day ago. */
export async function removeExpiredKeys(db: Database): Promise<void> {
  await sql`delete from publish_keys where created_at < now() - ${RETENTION}`.execute(db)
}
