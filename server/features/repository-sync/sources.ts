// The source of a script: the repository, branch and file that are its code.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { MAX_BRANCH_LENGTH, MAX_PATTERN_LENGTH, MAX_REPOSITORY_LENGTH, MAX_SOURCES } from '#contract/limits.ts'
import type { NewRepositorySource, RepositorySource, RepositorySync } from '#contract/repository-sync.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Forge } from '#server/platform/config/forges.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { lockOwnScript, requireOwnScript, type StoredState, toVersionState } from '#server/features/scripts/queries.ts'
import { isRepository, kindOf } from '#server/features/trusted-publishing/publishers.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { FieldErrors } from '#server/platform/http/field-errors.ts'
import { parseLine } from '#server/platform/http/text.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { isLiteral, isPattern } from './pattern.ts'
import { enqueueSync } from './receive.ts'

export interface SourcesOptions {
  db: Database
  jobs: JobQueue
  seal: Seal
  forges: readonly Forge[]
  publicUrl: string
}

const LOG_SIZE = 20
const SECRET_BYTES = 24
/** Clocks of this site and of a server with repositories may differ by less. */
const CLOCK_DIFFERENCE = sql`interval '2 minutes'`

const notConnected = () => notFound('A repository of this script')

interface SourceRow {
  script_id: number
  branch: string
  pattern: string
  created_at: Date
  key: string
  forge: string
  repository: string
  last_received_at: Date | null
  script_count: number
}

async function findSource(
  { db, forges, publicUrl }: SourcesOptions,
  scriptId: number,
): Promise<RepositorySource | null> {
  const { rows } =
    await sql<SourceRow>`select r.script_id, r.branch, r.pattern, r.created_at, c.key, c.forge, c.repository,
      c.last_received_at, (select count(*) from repository_sources o where o.connection_id = c.id) as script_count
    from repository_sources r join repository_connections c on c.id = r.connection_id
    where r.script_id = ${scriptId}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { key, forge, repository, last_received_at, script_count, created_at, ...source } = row
  return {
    ...source,
    connection: {
      forge: { kind: kindOf(forges, forge), url: forge },
      repository,
      webhook_url: `${publicUrl}/api/repository-hooks/${key}`,
      last_received_at: last_received_at?.toISOString() ?? null,
      script_count,
    },
    created_at: created_at.toISOString(),
  }
}

type SyncRow = Omit<RepositorySync, 'created_at' | 'finished_at' | 'version_state'> & {
  created_at: Date
  finished_at: Date | null
  stored_state: StoredState | null
  is_current: boolean
}

/** Of the syncs `y`. */
const SYNC_COLUMNS = sql`y.id, y.reason, y.commit, y.path, y.state, y.error, y.version_number, y.created_at, y.finished_at,
  (select v.state from script_versions v where v.script_id = y.script_id and v.number = y.version_number) as stored_state,
  exists (select from scripts s where s.id = y.script_id and s.current_version = y.version_number) as is_current`

const toSync = ({ created_at, finished_at, stored_state, is_current, ...row }: SyncRow): RepositorySync => ({
  ...row,
  version_state: stored_state && toVersionState({ state: stored_state, is_current }),
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null,
})

/** The source of the caller's own script with its log, newest first. Throws what `requireOwnScript` throws. */
export async function readSource(
  options: SourcesOptions,
  caller: Caller,
  scriptId: number,
): Promise<{ source: RepositorySource | null; syncs: RepositorySync[] }> {
  await requireOwnScript(options.db, scriptId, caller)
  const { rows } = await sql<SyncRow>`select ${SYNC_COLUMNS} from repository_syncs y where y.script_id = ${scriptId}
    order by y.id desc limit ${LOG_SIZE}`.execute(options.db)
  return { source: await findSource(options, scriptId), syncs: rows.map(toSync) }
}

function parseSource(forges: readonly Forge[], input: NewRepositorySource) {
  const errors = new FieldErrors()
  const forge = forges.find(({ url }) => url === input.forge)
  if (!forge) errors.add('forge', 'Choose one of the servers that this site accepts.')
  const kind = forge?.kind ?? 'github'
  const repository = parseLine(input.repository, { field: 'repository', maxLength: MAX_REPOSITORY_LENGTH }, errors)
  if (!isRepository(kind, repository)) {
    const example = kind === 'github' ? 'owner/name' : 'group/project'
    errors.add('repository', `Enter the repository as ${example}, not as a URL.`)
  }
  const branch = parseLine(input.branch, { field: 'branch', maxLength: MAX_BRANCH_LENGTH }, errors)
  if (branch.startsWith('refs/') || /\s|\.\./.test(branch))
    errors.add('branch', 'Enter the name of a branch, such as main.')
  const pattern = parseLine(input.pattern, { field: 'pattern', label: 'File', maxLength: MAX_PATTERN_LENGTH }, errors)
  if (!isPattern(pattern)) {
    errors.add(
      'pattern',
      'Enter a path such as src/lamp.luau. A pattern may have one * in each name, one ** for folders and one list such as {lua,luau}.',
    )
  }
  errors.throwIfAny()
  return { forge: forge?.url ?? '', repository, branch, pattern }
}

type Parsed = ReturnType<typeof parseSource>

/** Returns the secret of a new webhook. Throws AppError `invalid`, `too_many_sources`, and what the locks throw. */
export async function putSource(
  options: SourcesOptions,
  caller: Caller,
  input: NewRepositorySource,
): Promise<{ source: RepositorySource; secret: string | null }> {
  const parsed = parseSource(options.forges, input)
  const { script_id } = input
  // Exclusive, so that concurrent requests make one connection.
  return transactAsMember(options.db, { memberId: caller.id, exclusive: true }, async (trx) => {
    const { properties } = await lockOwnScript(trx, script_id, caller)
    const { id, secret } = await findOrCreateConnection(trx, options.seal, caller.id, parsed)
    const { branch, pattern } = parsed
    await cancelWaiting(trx, script_id)
    await sql`insert into repository_sources (script_id, connection_id, branch, pattern)
      values (${script_id}, ${id}, ${branch}, ${pattern})
      on conflict (script_id) do update set connection_id = ${id}, branch = ${branch}, pattern = ${pattern},
        head_before = null, head_commit = null, head_pushed_at = null, changed_at = null`.execute(trx)
    await requireRoom(trx, id)
    await deleteUnused(trx, caller.id)
    await audit(trx, caller.id, script_id, 'connect_repository')
    const { title } = properties
    await notify(trx, {
      memberId: caller.id,
      kind: 'security',
      type: 'info',
      title: 'Repository connected',
      message: `Pushes to ${parsed.repository} may now publish versions of “${title}”. If this was not you, disconnect the repository and sign out everywhere.`,
      link: `/scripts/${scriptSlug(title, script_id)}/new-version?tab=repository`,
    })
    const source = await findSource({ ...options, db: trx }, script_id)
    if (!source) throw notConnected()
    return { source, secret }
  })
}

const createSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

async function findOrCreateConnection(trx: Transaction, seal: Seal, ownerId: number, { forge, repository }: Parsed) {
  const { rows: own } = await sql<{ id: number }>`select id from repository_connections
    where owner_id = ${ownerId} and forge = ${forge} and lower(repository) = lower(${repository}) for update`.execute(
    trx,
  )
  if (own[0]) return { id: own[0].id, secret: null }
  const secret = createSecret()
  const { rows } = await sql<{
    id: number
  }>`insert into repository_connections (owner_id, forge, repository, sealed_secret)
    values (${ownerId}, ${forge}, ${repository}, ${seal.seal(secret)}) returning id`.execute(trx)
  if (!rows[0]) throw notConnected()
  return { id: rows[0].id, secret }
}

async function requireRoom(trx: Transaction, connectionId: number): Promise<void> {
  const { rows } = await sql`select from repository_sources where connection_id = ${connectionId}`.execute(trx)
  if (rows.length <= MAX_SOURCES) return
  throw new AppError('too_many_sources', 409, `A repository can update ${MAX_SOURCES} scripts. Disconnect one first.`)
}

async function cancelWaiting(trx: Transaction, scriptId: number): Promise<void> {
  await sql`update repository_syncs set state = 'skipped', error = 'The connection was changed.', finished_at = now()
    where script_id = ${scriptId} and state = 'waiting'`.execute(trx)
}

async function deleteUnused(trx: Transaction, ownerId: number): Promise<void> {
  await sql`delete from repository_connections c where owner_id = ${ownerId}
    and not exists (select from repository_sources r where r.connection_id = c.id)`.execute(trx)
}

const audit = (trx: Transaction, memberId: number, scriptId: number, action: string) =>
  writeAudit(trx, { actorId: memberId, action, subjectType: 'script', subjectId: scriptId, memberId })

/** Throws AppError `not_found`, and what `lockMember` throws. */
export async function removeSource({ db }: SourcesOptions, caller: Caller, scriptId: number): Promise<void> {
  await transactAsMember(db, { memberId: caller.id, allowMuted: true, exclusive: true }, async (trx) => {
    const { rows } = await sql`delete from repository_sources r using scripts s
      where r.script_id = ${scriptId} and s.id = r.script_id and s.author_id = ${caller.id} returning r.script_id`.execute(
      trx,
    )
    if (rows.length === 0) throw notConnected()
    await deleteUnused(trx, caller.id)
    await audit(trx, caller.id, scriptId, 'disconnect_repository')
  })
}

/** Replaces the secret of the webhook. Throws AppError `not_found`, and what `lockMember` throws. */
export async function replaceSecret({ db, seal }: SourcesOptions, caller: Caller, scriptId: number): Promise<string> {
  const secret = createSecret()
  await transactAsMember(db, { memberId: caller.id }, async (trx) => {
    const { rows } = await sql`update repository_connections set sealed_secret = ${seal.seal(secret)}
      where owner_id = ${caller.id} and id = (select connection_id from repository_sources where script_id = ${scriptId})
      returning id`.execute(trx)
    if (rows.length === 0) throw notConnected()
    await audit(trx, caller.id, scriptId, 'replace_repository_secret')
  })
  return secret
}

/** Requests a sync with the end of the branch. Throws AppError `not_found`, and what `lockMember` throws. */
export async function syncNow({ db, jobs }: SourcesOptions, caller: Caller, scriptId: number): Promise<RepositorySync> {
  return transactAsMember(db, { memberId: caller.id }, async (trx) => {
    const { rows: sources } = await sql<{ pattern: string }>`update repository_sources r
      set changed_at = greatest(changed_at, now() - ${CLOCK_DIFFERENCE})
      from scripts s where r.script_id = ${scriptId} and s.id = r.script_id and s.author_id = ${caller.id}
      returning r.pattern`.execute(trx)
    const [source] = sources
    if (!source) throw notConnected()
    const path = isLiteral(source.pattern) ? source.pattern : null
    const { rows: waiting } = await sql<SyncRow>`select ${SYNC_COLUMNS} from repository_syncs y
      where script_id = ${scriptId} and state = 'waiting' and reason = 'manual' and commit is null`.execute(trx)
    const { rows } = waiting[0]
      ? { rows: waiting }
      : await sql<SyncRow>`insert into repository_syncs as y (script_id, reason, path) values (${scriptId}, 'manual', ${path})
          returning ${SYNC_COLUMNS}`.execute(trx)
    await enqueueSync(trx, jobs, scriptId)
    if (!rows[0]) throw notConnected()
    return toSync(rows[0])
  })
}
