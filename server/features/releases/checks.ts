import { setTimeout } from 'node:timers/promises'
import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { sql } from 'kysely'
import { type Analyzer, isFinished, makeCard } from '#server/features/behavior/analyze.ts'
import { recordCodeForScan } from '#server/features/behavior/record.ts'
import { hashForComparison } from '#server/features/copies/withdrawn.ts'
import type { VersionChecks } from '#server/features/scripts/version-checks.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { FairQueue, type FairQueueOptions } from '#server/platform/http/fair-queue.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { reportWithdrawnCode } from './republished.ts'
import { findWaitingVersion, lockScript, release, type ReleaseOptions, requestCheck, startCheck } from './release.ts'

export interface ChecksOptions extends ReleaseOptions {
  db: Database
  sandbox: Analyzer
}

/** An analysis that takes longer goes on, and a job decides by its result. */
const MAX_WAIT_MS = 10_000

const later = (): AppError => new AppError('busy', 503, 'The check comes later.')

/** Members take turns. Code that finds no place is checked by a job. */
const QUEUE: FairQueueOptions = {
  concurrency: 2,
  maxWaiting: 64,
  maxPerOwner: 32,
  errors: { busy: later, tooMany: later },
}

export function createVersionChecks(options: ChecksOptions): VersionChecks {
  const queue = new FairQueue(QUEUE)
  const hashTokens = (content: string) => options.sandbox.hash(content)
  const { signal } = new AbortController()
  const check = async ({ sha256, content }: Content, isRun: boolean) => {
    if (!(await isFinished(options.db, sha256))) await makeCard(options, { sha256, content }, { signal, isRun })
  }
  return {
    async prepare(code, { personId, depth, scriptId }) {
      await hashForComparison(options.db, code, hashTokens)
      await reportWithdrawnCode(options.db, code.sha256, { personId, scriptId })
      const checking = queue.run({ owner: personId }, async () => {
        await check(code, depth === 'run')
        const current = scriptId === undefined ? undefined : await findPublishedCode(options.db, scriptId)
        if (current) await check(current, true)
      })
      const checked = checking.catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
      })
      const ended = new AbortController()
      const timeout = setTimeout(MAX_WAIT_MS, undefined, { signal: ended.signal })
      await Promise.race([checked, timeout]).finally(() => {
        ended.abort()
      })
    },
    start: (trx, scriptId, former) => startCheck({ ...options, hashTokens }, trx, scriptId, former),
  }
}

interface Content {
  sha256: string
  content: string
}

/** SQL condition: the analysis of version `v` is over. */
const hasCard = sql`exists (select from behavior_cards c
  where c.sha256 = v.sha256 and c.analyzer_version = ${ANALYZER_VERSION} and c.status <> 'pending')`

/** Only if its card is missing, because the code was published before this version of the analyzer. */
async function findPublishedCode(db: Database, scriptId: number): Promise<Content | undefined> {
  const { rows } = await sql<Content>`select v.sha256, v.content
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version and v.state = 'published'
    where s.id = ${scriptId} and not ${hasCard}`.execute(db)
  return rows[0]
}

const RESUME_AFTER = sql`interval '20 seconds'`
const BATCH = 100

/** Requests the analysis of versions whose job was lost or given up, or which were published without jobs. */
export async function resumeChecks(db: Database, jobs: JobQueue): Promise<void> {
  const { rows } = await sql<{
    id: number
    sha256: string
    is_current: boolean
    author_id: number
  }>`select s.id, v.sha256, v.number = s.current_version as is_current, s.author_id
    from script_versions v join scripts s on s.id = v.script_id
    where (v.state = 'checking' or v.state = 'held' and not ${hasCard})
      and v.state_since < now() - ${RESUME_AFTER}
    order by v.state_since limit ${BATCH}`.execute(db)
  for (const { id, ...waiting } of rows) {
    await db.transaction().execute((trx) => requestCheck(jobs, trx, id, waiting))
  }
}

/** Makes confirmed versions current whose hold is over. */
export async function releaseConfirmed(options: ReleaseOptions & { db: Database }): Promise<void> {
  const { rows } = await sql<{ script_id: number }>`select script_id from script_versions
    where state = 'held' and confirmed_at is not null and current_at <= now()
    order by current_at limit ${BATCH}`.execute(options.db)
  for (const { script_id: id } of rows) {
    await options.db.transaction().execute(async (trx) => {
      const former = await lockScript(trx, id)
      const { rows: due } = await sql`select from script_versions
        where script_id = ${id} and state = 'held' and confirmed_at is not null and current_at <= now()`.execute(trx)
      const waiting = due.length > 0 ? await findWaitingVersion(trx, id) : undefined
      if (former && waiting) await release(options, trx, id, { waiting, former })
    })
  }
}

/** For programs without a job queue: the running site decides later. */
export const deferredChecks: VersionChecks = {
  prepare: async () => {},
  async start(trx, scriptId, former) {
    const { current_version } = await trx
      .selectFrom('scripts')
      .select('current_version')
      .where('id', '=', scriptId)
      .executeTakeFirstOrThrow()
    if (current_version !== former.currentVersion) await recordCodeForScan(trx, scriptId)
  },
}
