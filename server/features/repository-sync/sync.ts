// Publishes files of repositories: one job per script, which takes the newest push that waits.
import { sql } from 'kysely'
import type { Forge } from '#server/platform/config/forges.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findPersonId } from '#server/features/accounts/persons.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { putVersionIn } from '#server/features/scripts/change.ts'
import { publishedBy } from '#server/platform/authorization/publisher.ts'
import { requireAcceptedNow } from '#server/features/scripts/only-builds.ts'
import type { WritingOptions } from '#server/features/scripts/read.ts'
import { parseScriptChange } from '#server/features/scripts/script-input.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { PublicClient } from '#server/platform/http/public-client.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { commitUrlOf, ForgeError, listFiles, readFile, readHead, type Repository } from './forge-files.ts'
import { isLiteral, isPath, toMatcher } from './pattern.ts'
import { describeAmbiguous } from './receive.ts'

/** With the delays of the queue, from 5 seconds to 3 minutes. */
export const MAX_ATTEMPTS = 6

export interface SyncOptions extends WritingOptions {
  jobs: JobQueue
  client: Pick<PublicClient, 'send'>
  forges: readonly Forge[]
}

interface Waiting {
  id: number
  script_id: number
  owner_id: number
  reason: 'push' | 'manual'
  commit: string | null
  path: string | null
  changelog: string | null
  attempts: number
  forge: string
  repository: string
  branch: string
  pattern: string
}

export async function syncScript(options: SyncOptions, scriptId: number): Promise<void> {
  const { db } = options
  const waiting = await takeNewest(db, scriptId)
  if (!waiting) return
  try {
    await publish(options, waiting, await readSource(options, waiting))
  } catch (error) {
    const { message, isFinal } = explain(error, waiting)
    await sql`update repository_syncs set error = ${message},
        state = case when ${isFinal} then 'failed' else state end, finished_at = case when ${isFinal} then now() end
      where id = ${waiting.id} and state = 'waiting'`.execute(db)
    // The queue runs the job again.
    if (!isFinal) throw error
  }
}

const REPLACED = 'A newer push replaced this one.'

/** Takes the newest push of a script that waits. Older ones are of no use any more. */
async function takeNewest(db: Database, scriptId: number): Promise<Waiting | undefined> {
  return db.transaction().execute(async (trx) => {
    await sql`update repository_syncs set state = 'skipped', error = ${REPLACED}, finished_at = now()
      where script_id = ${scriptId} and state = 'waiting' and id < (select max(id) from repository_syncs
        where script_id = ${scriptId} and state = 'waiting')`.execute(trx)
    const { rows } = await sql<Waiting>`update repository_syncs s set attempts = s.attempts + 1
      from repository_sources r join repository_connections c on c.id = r.connection_id
      where s.script_id = ${scriptId} and s.state = 'waiting' and r.script_id = s.script_id
      returning s.id, s.script_id, c.owner_id, s.reason, s.commit, s.path, s.changelog, s.attempts, c.forge, c.repository,
        r.branch, r.pattern`.execute(trx)
    return rows[0]
  })
}

interface Source {
  commit: string
  /** The page of the commit. */
  commitUrl: string
  path: string
  code: string
}

/** Throws ForgeError. */
async function readSource({ db, client, forges }: SyncOptions, waiting: Waiting): Promise<Source> {
  const forge = forges.find(({ url }) => url === waiting.forge)
  if (!forge) throw new ForgeError('This site no longer accepts the server of this repository.')
  const repository: Repository = { forge, name: waiting.repository }
  const commit = waiting.commit ?? (await readHead(client, repository, waiting.branch))
  const path = waiting.path ?? (await findPath(client, repository, commit, waiting.pattern))
  await sql`update repository_syncs set commit = ${commit}, path = ${path} where id = ${waiting.id}`.execute(db)
  const commitUrl = commitUrlOf(repository, commit)
  return { commit, commitUrl, path, code: await readFile(client, repository, commit, path) }
}

async function findPath(
  client: SyncOptions['client'],
  repository: Repository,
  commit: string,
  pattern: string,
): Promise<string> {
  if (isLiteral(pattern)) return pattern
  const matches = toMatcher(pattern)
  const [path, ...others] = (await listFiles(client, repository, commit)).filter(
    (each) => isPath(each) && matches(each),
  )
  if (path === undefined) throw new ForgeError('No file of the repository matches the pattern.')
  if (others.length > 0) throw new ForgeError(describeAmbiguous([path, ...others]))
  return path
}

/** Changes nothing if another job has taken a newer push since. Throws what `lockMember` and `putVersionIn` throw. */
async function publish(options: SyncOptions, waiting: Waiting, { code, commit, commitUrl }: Source): Promise<void> {
  const { id, script_id, owner_id, changelog } = waiting
  const change = parseScriptChange({ script_content: code, ...(changelog !== null && { changelog }) })
  await requireAcceptedNow(options.db, script_id, 'repository')
  const personId = await findPersonId(options.db, owner_id)
  if (change.code) await options.checks.prepare(change.code, { personId, depth: 'read', scriptId: script_id })
  // In the order in which the deletion of an account or a script locks them.
  await transactAsMember(options.db, { memberId: owner_id }, async (trx) => {
    await sql`select from scripts where id = ${script_id} for no key update`.execute(trx)
    await sql`select from repository_sources where script_id = ${script_id} for update`.execute(trx)
    // A job that takes a newer push marks this one first.
    const { rows } = await sql`select from repository_syncs where id = ${id} and state = 'waiting' for update`.execute(
      trx,
    )
    if (rows.length === 0) return
    const caller = { id: owner_id, isAdmin: false }
    const { provenance } = publishedBy('repository')
    const source = { repository: waiting.repository, commit, commit_url: commitUrl, matches_commit: true }
    const publisher = { provenance: { ...provenance, ...source } }
    const { isNew, number } = await putVersionIn(options, trx, caller, script_id, change, publisher)
    await sql`update repository_syncs set state = ${isNew ? 'published' : 'unchanged'}, version_number = ${number},
      error = null, finished_at = now() where id = ${id}`.execute(trx)
  })
}

const UNAUTHORIZED = 401

function explain(error: unknown, { attempts, reason }: Waiting): { message: string; isFinal: boolean } {
  const isLast = attempts >= MAX_ATTEMPTS
  if (error instanceof ForgeError) {
    // An author who asks for an update sees at once that the file does not exist.
    const isFinal = isLast || !error.isTemporary || (reason === 'manual' && error.isMissing)
    return { message: error.message, isFinal }
  }
  if (error instanceof AppError && error.status < 500) {
    const message = error.status === UNAUTHORIZED ? 'The account of the author is suspended.' : error.message
    return { message, isFinal: true }
  }
  return { message: 'Something went wrong on our side.', isFinal: isLast }
}
