// Receives pushes: decides which scripts they update, and in which order.
import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import type { Forge } from '#server/platform/config/forges.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { type Seal, UnreadableError } from '#server/platform/db/seal.ts'
import { isActive, transactAsMember } from '#server/features/members/standing.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { isLiteral, isPath, toMatcher } from './pattern.ts'
import { deliveryIdOf, isAuthentic, isPushEvent, parsePush, type Push } from './push.ts'

export interface ReceiveOptions {
  db: Database
  jobs: JobQueue
  seal: Seal
  forges: readonly Forge[]
}

export interface Connection {
  id: number
  ownerId: number
  forge: Forge
  repository: string
  secret: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The connection with this key in its webhook's URL. Throws AppError `not_found`. */
export async function getConnection({ db, seal, forges }: ReceiveOptions, key: string): Promise<Connection> {
  const { rows } = UUID.test(key)
    ? await sql<{ id: number; owner_id: number; forge: string; repository: string; sealed_secret: Buffer }>`
        select c.id, c.owner_id, c.forge, c.repository, c.sealed_secret from repository_connections c
        join members m on m.id = c.owner_id where c.key = ${key}::uuid and ${isActive('m')}`.execute(db)
    : { rows: [] }
  const [row] = rows
  const forge = forges.find(({ url }) => url === row?.forge)
  if (!row || !forge) throw notFound('This webhook')
  return { id: row.id, ownerId: row.owner_id, forge, repository: row.repository, secret: open(seal, row.sealed_secret) }
}

function open(seal: Seal, sealed: Buffer): string {
  try {
    return seal.open(sealed)
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    throw new AppError(
      'secret_lost',
      409,
      'The site lost the secret of this webhook. Create a new one on the page “New version” of the script, under “From a repository”.',
    )
  }
}

interface Delivery {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Throws AppError `signature_invalid`. */
export function requireAuthentic({ forge, secret }: Connection, { headers, body }: Delivery): void {
  if (isAuthentic(forge.kind, headers, body, secret)) return
  throw new AppError(
    'signature_invalid',
    401,
    'The secret of the webhook is not correct. Enter the one that the site showed when you connected the repository.',
  )
}

interface SourceRow {
  script_id: number
  pattern: string
  head_before: string | null
  head_commit: string | null
  head_pushed_at: Date | null
  changed_at: Date | null
}

/**
 * A repeated delivery changes nothing. Returns what happened, for the log of the server. Throws AppError `malformed_push`,
 * `repository_mismatch`, and what `lockMember` throws.
 */
export async function receive(
  { db, jobs }: ReceiveOptions,
  { id, ownerId, forge, repository }: Connection,
  { headers, body }: Delivery,
): Promise<string> {
  const push = isPushEvent(forge.kind, headers) ? parsePush(forge.kind, body) : undefined
  if (push && push.repository.toLowerCase() !== repository.toLowerCase()) throw mismatch()
  return transactAsMember(db, { memberId: ownerId, allowMuted: true }, async (trx) => {
    const { rows } = await sql<{
      repository_id: string | null
    }>`update repository_connections set last_received_at = now(),
        repository_id = coalesce(repository_id, ${push?.repositoryId ?? null})
      where id = ${id} returning repository_id`.execute(trx)
    if (!rows[0]) throw notFound('This webhook')
    if (!push) return 'The webhook works. Only pushes update scripts.'
    if (rows[0].repository_id !== push.repositoryId) throw mismatch()
    const delivery = deliveryIdOf(forge.kind, headers, body)
    const { rows: recorded } = await sql`insert into repository_deliveries (connection_id, delivery)
      values (${id}, ${delivery}) on conflict do nothing returning delivery`.execute(trx)
    if (recorded.length === 0) return 'This push was received already.'
    if (push.branch === undefined || push.after === undefined) return 'This push changes no branch.'
    const { rows: sources } = await sql<SourceRow>`select script_id, pattern, head_before, head_commit, head_pushed_at,
        changed_at from repository_sources
      where connection_id = ${id} and branch = ${push.branch} order by script_id for update`.execute(trx)
    let count = 0
    for (const source of sources) count += (await apply(trx, jobs, source, push)) ? 1 : 0
    return count === 1 ? 'This push updates 1 script.' : `This push updates ${count} scripts.`
  })
}

const mismatch = () => new AppError('repository_mismatch', 409, 'This webhook belongs to another repository.')

const SUPERSEDED = 'A newer push was received before.'

/** Returns whether the push may update the script. */
async function apply(trx: Transaction, jobs: JobQueue, source: SourceRow, push: Push): Promise<boolean> {
  const isNewer = isAfterHead(source, push)
  if (isNewer) {
    await sql`update repository_sources set head_before = ${push.before ?? null}, head_commit = ${push.after},
      head_pushed_at = ${push.pushedAt} where script_id = ${source.script_id}`.execute(trx)
  }
  const change = findChange(source.pattern, push)
  if (!change) return false
  const isCurrent = isNewer || source.changed_at === null || push.pushedAt > source.changed_at
  const error = isCurrent ? change.error : SUPERSEDED
  const state = error === undefined ? 'waiting' : change.error === undefined || change.isRemoved ? 'skipped' : 'failed'
  await sql`insert into repository_syncs (script_id, reason, commit, path, changelog, state, error, finished_at)
    values (${source.script_id}, 'push', ${push.after}, ${change.path}, ${change.changelog}, ${state}, ${error ?? null},
      case when ${state} <> 'waiting' then now() end)`.execute(trx)
  if (state !== 'waiting') return false
  await sql`update repository_sources set changed_at = greatest(changed_at, ${push.pushedAt}::timestamptz)
    where script_id = ${source.script_id}`.execute(trx)
  await enqueueSync(trx, jobs, source.script_id)
  return true
}

export async function enqueueSync(trx: Transaction, jobs: JobQueue, scriptId: number): Promise<void> {
  const { author_id: memberId } = await trx
    .selectFrom('scripts')
    .select('author_id')
    .where('id', '=', scriptId)
    .executeTakeFirstOrThrow()
  await jobs.enqueue(trx, 'sync-script', { scriptId }, { key: `script-${scriptId}`, memberId })
}

/** The commits decide if one push directly follows the other, else the times, which GitHub rounds to seconds. */
function isAfterHead({ head_before, head_commit, head_pushed_at }: SourceRow, push: Push): boolean {
  if (head_pushed_at === null || push.before === head_commit) return true
  return push.after !== head_before && push.pushedAt >= head_pushed_at
}

interface Change {
  /** Null if the repository has to be searched. */
  path: string | null
  changelog: string | null
  error?: string
  isRemoved?: boolean
}

const MAX_NAMED = 3

/** The change that a push makes to the file of a pattern; undefined if there is none. */
function findChange(pattern: string, { changed, removed }: Push): Change | undefined {
  const matches = toMatcher(pattern)
  if (!changed) return { path: isLiteral(pattern) ? pattern : null, changelog: null }
  const matching = [...changed].filter(([path]) => matches(path))
  const [first] = matching
  if (matching.length > 1)
    return { path: null, changelog: null, error: describeAmbiguous(matching.map(([path]) => path)) }
  if (first) return { path: first[0], changelog: first[1] || null }
  const gone = [...removed].find((path) => matches(path) && isPath(path))
  if (gone === undefined) return undefined
  const error = 'The file was deleted or renamed in the repository. The script stays as it is.'
  return { path: gone, changelog: null, error, isRemoved: true }
}

export function describeAmbiguous(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).join(', ')
  const others = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
  return `The pattern matches ${paths.length} files: ${named}${others}. Enter one that matches a single file.`
}
