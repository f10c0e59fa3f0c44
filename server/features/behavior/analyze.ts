import { ANALYZER_VERSION, type Card, mergeRun, UNREAD } from '@scriptyard/luau-behavior'
import type { Behavior } from '#contract/behavior.ts'
import { Sandbox, SandboxError } from '@scriptyard/luau-behavior/sandbox'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import { recordHash } from '#server/features/copies/hashes.ts'
import { notifyOfCopies } from '#server/features/copies/originals.ts'
import { toStoredCard } from './cards.ts'
import { copyToScripts, recordHosts, storeCard } from './record.ts'
import { findFormerContents, findPublishedContents, reviewScripts } from './review.ts'

export type Analyzer = Pick<Sandbox, 'analyze' | 'compile' | 'hash' | 'run'>
export type DraftChecker = Pick<Sandbox, 'check'>

/** Processes that analyze code: drafts do not wait for published code. They start with their first script and end when idle. */
export interface Sandboxes {
  published: Analyzer
  drafts: DraftChecker
  close(): Promise<void>
}

export const CONCURRENT_DRAFTS = 2
/** Authors often think for longer than a minute between two checks. */
const DRAFTS_IDLE_MS = 5 * 60_000

export function openSandboxes(): Sandboxes {
  // `npm start` has built it. In development, the sources may be newer.
  const prefersBuild = process.env.NODE_ENV !== 'development'
  // One more than the jobs: publishing hashes code, and does not wait for them.
  const published = new Sandbox({ prefersBuild, concurrency: NEW_CODE.concurrency + FORMER_CODE.concurrency + 1 })
  const drafts = new Sandbox({ prefersBuild, concurrency: CONCURRENT_DRAFTS, idleMs: DRAFTS_IDLE_MS })
  return {
    published,
    drafts,
    close: async () => {
      await Promise.all([published.close(), drafts.close()])
    },
  }
}

export interface AnalysisOptions {
  db: Database
  sandbox: Analyzer
  emit: Emit
  /** Decides about the versions that wait with this code, and reports copies. Injected, because releases are in a higher layer. */
  onCard: (sha256: string) => Promise<void>
}

/** A script takes a few seconds at most, and its former versions as much. */
export const FORMER_CODE = { concurrency: 1, attempts: 5, timeoutSeconds: 120 }
/** Two, because one member never occupies both. */
export const NEW_CODE = { ...FORMER_CODE, concurrency: 2 }

/** Idempotent: a content whose card is finished is not analyzed again. Throws if the analysis failed and must be tried again. */
export async function analyzeCode(options: AnalysisOptions, sha256: string, signal: AbortSignal): Promise<void> {
  const { db, sandbox } = options
  await recordHash(db, { sha256 }, (content) => sandbox.hash(content))
  await notifyOfCopies(db, sha256)
  const status = await makeStoredCard(options, sha256, signal)
  await copyToScripts(db, sha256)
  await recordHosts(db, sha256)
  for (const base of await findPublishedContents(db, sha256)) await makeStoredCard(options, base, signal)
  await options.onCard(sha256)
  for (const former of await findFormerContents(db, sha256)) await makeStoredCard(options, former, signal)
  await reviewScripts(options, sha256)
  if (status === 'failed' && !(await isFinished(db, sha256)))
    throw new Error('The analysis failed, and a version waits for it.')
}

export const UNREAD_CARD: Card = {
  capabilities: [],
  hosts: [],
  obfuscator: null,
  opaque: [{ reason: UNREAD.failed, count: 1 }],
}

/** Returns the status of the card; undefined if there was nothing to analyze. */
async function makeStoredCard(
  options: AnalysisOptions,
  sha256: string,
  signal: AbortSignal,
): Promise<Behavior['status'] | undefined> {
  const content = (await isFinished(options.db, sha256)) ? undefined : await findContent(options.db, sha256)
  return content === undefined ? undefined : makeCard(options, { sha256, content }, { signal })
}

export interface CardOptions {
  signal: AbortSignal
  /** Whether the code is also compiled and run; by default it is. */
  isRun?: boolean
}

/** Stores the card of a content, first without the run. Returns its status. Throws when `signal` aborts, because the sandbox may be closed. */
export async function makeCard(
  { db, sandbox }: Pick<AnalysisOptions, 'db' | 'sandbox'>,
  { sha256, content }: { sha256: string; content: string },
  { signal, isRun = true }: CardOptions,
): Promise<Behavior['status']> {
  // A busy machine may be too slow the first time.
  const tryToRead = () => sandbox.analyze(content).catch(ignoreSandboxError)
  const read = (await tryToRead()) ?? (await tryToRead())
  signal.throwIfAborted()
  if (read) {
    await storeCard(db, sha256, {
      status: 'pending',
      card: toStoredCard(read),
      verdict: { compiles: null, error: null },
    })
    await copyToScripts(db, sha256)
  }
  if (!isRun) return 'pending'
  const verdict = await sandbox.compile(content)
  const run = await sandbox.run(content)
  signal.throwIfAborted()
  // If the compiler gave no answer, the code did not run either.
  const status = read || verdict.compiles !== null ? 'ready' : 'failed'
  await storeCard(db, sha256, { status, card: toStoredCard(mergeRun(read ?? UNREAD_CARD, run)), verdict })
  return status
}

function ignoreSandboxError(error: unknown): undefined {
  if (!(error instanceof SandboxError)) throw error
}

async function findContent(db: Database, sha256: string): Promise<string | undefined> {
  const { rows } = await sql<{ content: string }>`select content from script_versions
    where sha256 = ${sha256} limit 1`.execute(db)
  return rows[0]?.content
}

/** Whether there is nothing to analyze. An analysis that failed is tried again while a version waits with the code. */
export async function isFinished(db: Database, sha256: string): Promise<boolean> {
  const { rows } = await sql`select from behavior_cards
    where sha256 = ${sha256} and analyzer_version = ${ANALYZER_VERSION} and (status = 'ready' or status = 'failed'
      and not exists (select from script_versions where sha256 = ${sha256} and state in ('checking', 'held')))`.execute(
    db,
  )
  return rows.length > 0
}
