// The one way of a version to visitors: checked, then current or held.
import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { sql } from 'kysely'
import type { CapabilityId } from '#contract/behavior-names.ts'
import type { HoldReason, Provenance } from '#contract/versions.ts'
import type { ProvenanceKind } from '#contract/version-states.ts'
import type { StoredCard } from '#server/features/behavior/cards.ts'
import { recordCode, requestAnalysis } from '#server/features/behavior/record.ts'
import type { HashTokens } from '#server/features/copies/hashes.ts'
import { hashForComparison, isWithdrawnCode, withdrawnCode } from '#server/features/copies/withdrawn.ts'
import { announceChange } from '#server/features/scripts/change.ts'
import type { FormerScript } from '#server/features/scripts/version-checks.ts'
import { isReleased } from '#server/features/scripts/queries.ts'
import { discardWaiting, settleScript, setVersionState } from '#server/features/scripts/version-states.ts'
import type { EmailHold } from '#server/features/email/outbox.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { notifyOfHold } from './notify.ts'
import { type CheckedCode, findStarts, findUndeclared, joinReasons, lessEvidence } from './reasons.ts'

export interface ReleaseOptions {
  jobs: JobQueue
  emit: Emit
  /** Undefined on a site that sends no email. */
  emailHold?: EmailHold | undefined
}

export interface Waiting {
  number: number
  version: string
  sha256: string
  state: 'checking' | 'held'
  hold_reasons: HoldReason[] | null
  is_confirmed: boolean
  provenance: Provenance
  declared_capabilities: CapabilityId[] | null
  /** Whether nothing of the script is public. */
  is_current: boolean
  author_id: number
  /** It was published before, and is to take the place of withdrawn code. */
  returns: boolean
}

/**
 * Decides about the version that waits, with the script locked, and announces what visitors get by it. Throws AppError
 * `withdrawn_code`.
 */
export async function startCheck(
  options: ReleaseOptions & { hashTokens?: HashTokens },
  trx: Transaction,
  id: number,
  former: FormerScript,
): Promise<void> {
  const waiting = await findWaitingVersion(trx, id)
  const added = waiting?.sha256 ?? (await findAddedCode(trx, id, former))
  if (added !== undefined) {
    if (options.hashTokens) await hashForComparison(trx, { sha256: added }, options.hashTokens)
    if (await isWithdrawnCode(trx, id, added)) throw withdrawnCode()
  }
  if (waiting?.state === 'checking') await requestCheck(options.jobs, trx, id, waiting)
  await decideWaiting(options, trx, id, { waiting, former })
}

/** The code of a version that a private script got. */
async function findAddedCode(trx: Transaction, id: number, former: FormerScript): Promise<string | undefined> {
  const { rows } = await sql<{ sha256: string }>`select v.sha256
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.id = ${id} and v.number <> ${former.currentVersion}`.execute(trx)
  return rows[0]?.sha256
}

export async function requestCheck(
  jobs: JobQueue,
  trx: Transaction,
  id: number,
  { sha256, is_current, author_id }: Pick<Waiting, 'sha256' | 'is_current' | 'author_id'>,
): Promise<void> {
  // The same key as that of the current code, whose analysis is requested, too.
  const key = is_current ? `script-${id}` : `version-${id}`
  await requestAnalysis(jobs, trx, sha256, 'analyze-code', { key, memberId: author_id })
}

async function decideWaiting(
  options: ReleaseOptions,
  trx: Transaction,
  id: number,
  { waiting, former }: { waiting: Waiting | undefined; former: FormerScript },
): Promise<void> {
  if (waiting && (await decide(options, trx, id, waiting)) === 'current') {
    await release(options, trx, id, { waiting, former })
  } else {
    await recordRelease(options, trx, id, former)
  }
}

/** Decides about the versions that wait with this code, each in a transaction. */
export async function decideWaitingWith(options: ReleaseOptions & { db: Database }, sha256: string): Promise<void> {
  const { rows } = await sql<{ script_id: number }>`select script_id from script_versions
    where sha256 = ${sha256} and state in ('checking', 'held') order by script_id`.execute(options.db)
  for (const { script_id: id } of rows) {
    await options.db.transaction().execute(async (trx) => {
      const former = await lockScript(trx, id)
      const waiting = await findWaitingVersion(trx, id)
      if (!former || waiting?.sha256 !== sha256) return
      if (await isWithdrawnCode(trx, id, sha256)) {
        await discardWaiting(trx, id, 'Its code was withdrawn.')
        await settleScript(trx, id)
      } else {
        await decideWaiting(options, trx, id, { waiting, former })
      }
    })
  }
}

/** Locks the rows in the order in which deletions lock them. Undefined if the script was deleted. */
export async function lockScript(
  trx: Transaction,
  id: number,
): Promise<(FormerScript & { authorId: number }) | undefined> {
  await sql`select from members where id = (select author_id from scripts where id = ${id}) for key share`.execute(trx)
  const row = await trx
    .selectFrom('scripts')
    .select(['author_id', 'current_version', 'is_public', 'is_unlisted'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return (
    row && {
      authorId: row.author_id,
      currentVersion: row.current_version,
      isVisible: row.is_public,
      isUnlisted: row.is_unlisted,
    }
  )
}

/** Makes the version current that waits. Call it with the script locked. */
export async function release(
  options: ReleaseOptions,
  trx: Transaction,
  id: number,
  { waiting, former }: { waiting: Waiting; former: FormerScript },
): Promise<void> {
  const { number, version: name, state, returns } = waiting
  await setVersionState(trx, { id, number, state: 'published' })
  await settleScript(trx, id)
  await recordRelease(options, trx, id, former, { isQuiet: returns })
  if (state === 'held') await options.emit(trx, { type: 'version.released', scriptId: id, version: { number, name } })
}

/** Records and announces what changed for visitors. Quiet: former code is no news. */
export async function recordRelease(
  { jobs, emit }: ReleaseOptions,
  trx: Transaction,
  id: number,
  former: FormerScript,
  { isQuiet = false } = {},
): Promise<void> {
  const script = await trx
    .selectFrom('scripts')
    .select(['current_version', 'is_public'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const isNew = script.current_version !== former.currentVersion
  if (isNew || (script.is_public && !former.isVisible)) await recordCode(jobs, trx, id)
  if (!isQuiet) await announceChange(trx, { emit }, { id, former })
}

export async function findWaitingVersion(trx: Transaction, id: number): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`select v.number, v.version, v.sha256, v.state, v.hold_reasons, v.provenance,
      v.confirmed_at is not null as is_confirmed,      v.declared_capabilities, v.number = s.current_version as is_current, v.published_at is not null as returns,
      s.author_id
    from script_versions v join scripts s on s.id = v.script_id
    where v.script_id = ${id} and v.state in ('checking', 'held')`.execute(trx)
  return rows[0]
}

/** Holds the version if there is a reason. A version whose analysis is not over stays as it is. */
async function decide(
  options: ReleaseOptions,
  trx: Transaction,
  id: number,
  waiting: Waiting,
): Promise<'current' | 'waits'> {
  const { state, provenance, returns } = waiting
  const held = waiting.hold_reasons ?? []
  const next = await findCheck(trx, waiting.sha256)
  const last = await findLast(trx, id)
  const compared = await findCompared(trx, id, last, waiting)
  const bases: (CheckedCode | undefined)[] = []
  for (const sha256 of compared) bases.push(await findCheck(trx, sha256))
  // Of the code that visitors had, the analysis is over: what the run would add must not be missing in the comparison.
  if (!next || bases.some((base) => !base || base.status === 'pending')) return 'waits'
  const evidence = !returns && last && rankOf(provenance.by) < last.evidence ? [lessEvidence] : []
  const starts = bases.map((base) => (base ? findStarts(base, next) : []))
  const undeclared = !returns && compared.length < (last?.isWithdrawn ? 2 : 1)
  const behaviorReasons = joinReasons([
    ...starts,
    undeclared ? findUndeclared(next, waiting.declared_capabilities) : [],
  ])
  // Before the run is over, more may be found, but what could not be followed may be followed yet.
  const reasons = [...behaviorReasons, ...evidence].filter(
    (reason) => next.status !== 'pending' || reason.id !== 'opaque',
  )
  const isMore = reasons.some(({ id: kind, host }) => !held.some((known) => known.id === kind && known.host === host))
  if (reasons.length > 0 && (state === 'checking' || isMore)) {
    await hold(options, trx, id, { waiting, reasons })
  }
  if (reasons.length > 0 || next.status === 'pending') return 'waits'
  // Only a first version is released by a declaration alone. A check that failed is no reason any more.
  const isChecked = state === 'checking' || held.every((known) => known.id === 'check_failed')
  return isChecked || !last ? 'current' : 'waits'
}

/** What code starts in comparison with other code; undefined if one was not analyzed yet. */
export async function findStartsSince(
  trx: Transaction,
  former: string,
  sha256: string,
): Promise<HoldReason[] | undefined> {
  const [base, next] = [await findCheck(trx, former), await findCheck(trx, sha256)]
  if (!base || !next || base.status === 'pending' || next.status === 'pending') return undefined
  return findStarts(base, next)
}

/** What is found later must be confirmed, too. */
async function hold(
  { emit, emailHold }: ReleaseOptions,
  trx: Transaction,
  id: number,
  { waiting, reasons }: { waiting: Waiting; reasons: HoldReason[] },
): Promise<void> {
  const { number, state, version, author_id, is_confirmed } = waiting
  await sql`update script_versions set state = 'held', hold_reasons = ${JSON.stringify(reasons)}::jsonb, confirmed_at = null,
      current_at = null,
      state_since = case when state = 'held' then state_since else clock_timestamp() end
    where script_id = ${id} and number = ${number}`.execute(trx)
  if (state !== 'checking' && !is_confirmed) return
  await notifyOfHold(trx, emailHold, { scriptId: id, authorId: author_id, number, version, reasons })
  await emit(trx, {
    type: 'version.held',
    scriptId: id,
    version: { number, name: version },
    reasons: reasons.map(withoutCode),
  })
}

/** Only the author and the staff see code of a version that waits. */
const withoutCode = ({ id, host, line }: HoldReason): Omit<HoldReason, 'detail'> => ({ id, host, line })

interface LastVersion {
  sha256: string
  isWithdrawn: boolean
  /** The evidence that later versions must have. */
  evidence: number
}

/** The version that was published last: the code that visitors get, or got before it was withdrawn or the script became private. */
async function findLast(trx: Transaction, id: number): Promise<LastVersion | undefined> {
  const { rows } = await sql<{
    sha256: string
    state: 'published' | 'withdrawn'
    provenances: ProvenanceKind[]
  }>`select sha256, state, array(select distinct provenance ->> 'by' from script_versions
        where script_id = ${id} and state in ('published', 'withdrawn')) as provenances
    from script_versions where script_id = ${id} and state in ('published', 'withdrawn')
    order by coalesce(published_at, state_since) desc, number desc limit 1`.execute(trx)
  const [row] = rows
  if (!row) return undefined
  const evidence = Math.max(...row.provenances.map(requiredRank))
  return { sha256: row.sha256, isWithdrawn: row.state === 'withdrawn', evidence }
}

/**
 * The code that the next version is compared with: that of the last one. If that is withdrawn, new code is also compared with the
 * newest former code, because what was withdrawn may be what new code must not start.
 */
async function findCompared(
  trx: Transaction,
  id: number,
  last: LastVersion | undefined,
  { returns }: Pick<Waiting, 'returns'>,
): Promise<string[]> {
  if (!last) return []
  if (!last.isWithdrawn || returns) return [last.sha256]
  const { rows } = await sql<{ sha256: string }>`select sha256 from script_versions v
    where script_id = ${id} and ${isReleased}
    order by coalesce(published_at, state_since) desc, number desc limit 1`.execute(trx)
  return [last.sha256, ...rows.map((row) => row.sha256)]
}

const RANKS: Readonly<Record<ProvenanceKind, number>> = {
  build: 3,
  repository: 2,
  web: 1,
  token: 1,
  import: 1,
  unknown: 0,
}
const rankOf = (by: ProvenanceKind): number => RANKS[by]
/** Only builds and repositories are evidence that later versions must have. */
const requiredRank = (by: ProvenanceKind): number => (RANKS[by] > 1 ? RANKS[by] : 0)

async function findCheck(trx: Transaction, sha256: string): Promise<CheckedCode | undefined> {
  const { rows } = await sql<{
    status: CheckedCode['status']
    card: StoredCard
    analyzed_at: Date | null
  }>`select status,
      card, analyzed_at
    from behavior_cards where sha256 = ${sha256} and analyzer_version = ${ANALYZER_VERSION}`.execute(trx)
  const [row] = rows
  return row && row.analyzed_at !== null ? { status: row.status, card: row.card } : undefined
}
