import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { NewScript } from '#contract/script-input.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Publisher } from '#server/platform/authorization/guards.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { enterGame } from '#server/features/catalogue/games.ts'
import { writeSearchRow } from '#server/features/catalogue/search-document.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { chargeUpload } from '#server/platform/media/upload-quota.ts'
import { storeImageInput } from '#server/platform/media/upload.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { deleteDraft } from './drafts.ts'
import type { WritingOptions } from './read.ts'
import { setScreenshots, touchScreenshots } from './screenshots.ts'
import { type ParsedScript, parseNewScript } from './script-input.ts'
import { publisherColumns } from '#server/platform/authorization/publisher.ts'
import { setTags } from './tags.ts'
import { NEW_SCRIPT } from './version-checks.ts'
import { settleScript } from './version-states.ts'

interface PublishRequest {
  authorId: number
  personId: number
  publisher: Publisher
  body: NewScript
  /** The raw `idempotency-key` header. */
  key: string | string[] | undefined
}

interface PublishedScript extends PublishResult {
  slug: string
}

const withSlug = ({ id, title }: PublishResult): PublishedScript => ({ id, title, slug: scriptSlug(title, id) })

/**
 * Repeating a request with the same idempotency key within 24 hours returns the original script. Throws AppError `invalid`,
 * `idempotency_key_reused`, `upload_quota`, and what `storeImageInput` and `lockMember` throw.
 */
export async function publishScript(
  options: WritingOptions,
  { authorId, personId, publisher, body, key }: PublishRequest,
): Promise<PublishedScript> {
  const { db, media, checks } = options
  const script = parseNewScript(body)
  const publishKey = parsePublishKey(authorId, key, body)
  const former = publishKey && (await findPublishResult(db, publishKey))
  if (former) return withSlug(former)
  const image = await storeImageInput(db, media, { field: 'image', input: body.image ?? null, uploader: authorId })
  await touchScreenshots(db, media, script.screenshots)
  if (script.properties.is_public) await checks.prepare(script.code, { personId, depth: 'run' })
  const published = await transactAsMember(db, { memberId: authorId }, async (trx, author) => {
    if (publishKey && !(await claimKey(trx, publishKey))) return findPublishResult(trx, publishKey)
    const id = await insertScript(trx, { ...script, authorId, image, publisher })
    await chargeUpload(trx, media.quota, authorId, script.code.size)
    const gameName = await enterGame(trx, script.properties.game_id, script.gameName)
    await writeSearchRow(trx, id, { ...script.properties, gameName }, author)
    const result = { id, title: script.properties.title }
    if (publishKey) {
      await recordPublishResult(trx, publishKey, result)
      await deleteDraft(trx, publishKey)
    }
    await checks.start(trx, id, NEW_SCRIPT)
    return result
  })
  if (!published) throw new Error('The idempotency key is claimed but has no script.')
  return withSlug(published)
}

interface NewRow extends ParsedScript {
  authorId: number
  publisher: Publisher
  image: string | null
}

async function insertScript(
  trx: Transaction,
  { properties, code, declaration, screenshots, authorId, image, publisher }: NewRow,
): Promise<number> {
  const { tags, is_public, ...columns } = properties
  // Clients send `updated_at` back in milliseconds to detect conflicting edits.
  const now = sql<Date>`date_trunc('milliseconds', now())`
  const { id } = await trx
    .insertInto('scripts')
    .values({
      ...columns,
      is_public: false,
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
    .values({
      ...code,
      script_id: id,
      number: 1,
      version: columns.version,
      declared_capabilities: declaration.capabilities ?? null,
      declared_hosts: declaration.hosts ?? null,
      state: is_public ? 'checking' : 'private',
      ...publisherColumns(publisher),
    })
    .execute()
  await settleScript(trx, id, is_public)
  await trx.insertInto('script_stats').values({ script_id: id }).execute()
  await setTags(trx, id, tags)
  await setScreenshots(trx, { id, title: columns.title }, screenshots)
  return id
}

const KEY = /^[!-~]{1,100}$/
export const PUBLISH_KEY_LIFETIME = '24 hours'

interface PublishKey {
  memberId: number
  key: string
  bodySha256: Buffer
}

interface PublishResult {
  id: number
  title: string
}

/** Undefined without the header. Throws AppError `invalid`. */
function parsePublishKey(
  memberId: number,
  header: string | string[] | undefined,
  body: Record<string, unknown>,
): PublishKey | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !KEY.test(header)) {
    throw fieldError('idempotency-key', 'must be 1 to 100 visible ASCII characters')
  }
  const text = JSON.stringify(Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { memberId, key: header, bodySha256: createHash('sha256').update(text).digest() }
}

interface KeyRow {
  body_sha256: Buffer
  script_id: number | null
  title: string | null
}

/** The result of an earlier request with this key. Throws AppError `idempotency_key_reused` if its body was different. */
async function findPublishResult(db: Database, request: PublishKey): Promise<PublishResult | undefined> {
  const { rows } = await sql<KeyRow>`select body_sha256, script_id, title from publish_keys
    where member_id = ${request.memberId} and key = ${request.key} and created_at >= now() - ${PUBLISH_KEY_LIFETIME}::interval`.execute(
    db,
  )
  const [row] = rows
  if (!row) return undefined
  if (!row.body_sha256.equals(request.bodySha256)) {
    throw new AppError('idempotency_key_reused', 409, 'This was already sent with other content. Please send it again.')
  }
  return row.script_id === null || row.title === null ? undefined : { id: row.script_id, title: row.title }
}

/** Returns whether the key was free. Waits for a transaction that has claimed it, so that one of several requests publishes. */
async function claimKey(trx: Transaction, request: PublishKey): Promise<boolean> {
  const { rows } = await sql`insert into publish_keys as known (member_id, key, body_sha256)
    values (${request.memberId}, ${request.key}, ${request.bodySha256})
    on conflict (member_id, key) do update set body_sha256 = excluded.body_sha256, script_id = null, title = null,
      created_at = now() where known.created_at < now() - ${PUBLISH_KEY_LIFETIME}::interval
    returning 1`.execute(trx)
  return rows.length > 0
}

async function recordPublishResult(trx: Transaction, request: PublishKey, { id, title }: PublishResult): Promise<void> {
  await sql`update publish_keys set script_id = ${id}, title = ${title}
    where member_id = ${request.memberId} and key = ${request.key}`.execute(trx)
}
