// Attack: the database stops answering on connections that stay open. Runs against any site whose database connections
// can be silenced from outside, such as by a proxy or by SIGSTOP.
import { setTimeout as sleep } from 'node:timers/promises'
import { findChildren } from '#tests/support/processes.ts'

export interface SilentDatabaseAttack {
  origin: string
  /** Silences the open connections to the site's database; if `restore` is set, new connections too. */
  silence: () => void
  /** Ends the silence; without it, only the connections that were open at the start are silent. */
  restore?: () => void
  /** Duration of the silence before `restore`. */
  silentMs?: number
  /** Pause between two requests of everything. Default 100. */
  intervalMs?: number
  /** Headers of a signed-in member, for requests that read the session. */
  memberHeaders?: Record<string, string>
}

/** Times in milliseconds. */
export interface SilentDatabaseMetrics {
  /** From the start of the attack, or from `restore`, to the start of the first request after the last that failed. */
  recoveryMs: number
  worstReadyMs: number
  worstHealthMs: number
  /** Slowest response among a page and a list that were cached before. */
  worstCachedMs: number
  /** Slowest response that needs the database. */
  worstDatabaseMs: number
  /** Number of responses by kind of request and status; 0 stands for a request without a response. */
  statuses: Record<RequestKind, Record<number, number>>
}

type RequestKind = 'ready' | 'health' | 'cached' | 'database'

const PATHS: Record<RequestKind, readonly string[]> = {
  ready: ['/readyz'],
  health: ['/healthz'],
  cached: ['/', '/api/scripts'],
  database: ['/api/giveaways', '/api/script-rating?id=1', '/raw/x-1', '/api/script-details-slug?slug=x-1'],
}
const MEMBER_PATH = '/api/user-notifications'
/** A site is back after this time without a failed request. */
const CALM_MS = 3000
const GIVE_UP_MS = 120_000
const REQUEST_TIMEOUT_MS = 60_000
const WARM_UP_REQUESTS = 16

interface Outcome {
  kind: RequestKind
  status: number
  startedAt: number
  ms: number
}

/** Requests everything all the time during a silence, until nothing has failed for a while or two minutes have passed. */
export async function attackSilentDatabase(attack: SilentDatabaseAttack): Promise<SilentDatabaseMetrics> {
  const { origin, silence, restore, silentMs = 15_000, intervalMs = 100, memberHeaders = {} } = attack
  const outcomes: Outcome[] = []
  const pending = new Set<Promise<void>>()
  const request = async (kind: RequestKind, path: string, headers: Record<string, string> = {}) => {
    const startedAt = performance.now()
    const status = await fetchStatus(origin + path, headers)
    outcomes.push({ kind, status, startedAt, ms: performance.now() - startedAt })
  }
  const requestAll = () => {
    const kinds = Object.entries(PATHS) as [RequestKind, readonly string[]][]
    const calls = kinds.flatMap(([kind, paths]) => paths.map((path) => request(kind, path)))
    if (memberHeaders['authorization']) calls.push(request('database', MEMBER_PATH, memberHeaders))
    for (const call of calls) {
      const done: Promise<void> = call.finally(() => pending.delete(done))
      pending.add(done)
    }
    return Promise.all(calls)
  }
  await warmUp(origin)
  const startedAt = performance.now()
  silence()
  let restoredAt = restore ? Infinity : startedAt
  for (;;) {
    const now = performance.now()
    if (restore && restoredAt === Infinity && now - startedAt >= silentMs) {
      restore()
      restoredAt = now
    }
    const lastFailure = Math.max(
      restoredAt,
      ...outcomes.filter(isFailure).map((failed) => failed.startedAt + failed.ms),
    )
    if (now - lastFailure > CALM_MS && pending.size < 100) break
    if (now - startedAt > GIVE_UP_MS) break
    void requestAll()
    await sleep(intervalMs)
  }
  await Promise.all(pending)
  return summarize(outcomes, restoredAt)
}

/** Several requests at once, so that each worker process of the site caches the responses. */
async function warmUp(origin: string): Promise<void> {
  for (const path of PATHS.cached) {
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: WARM_UP_REQUESTS }, () => fetchStatus(origin + path, {})))
    }
  }
}

async function fetchStatus(url: string, headers: Record<string, string>): Promise<number> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

const isFailure = ({ status }: Outcome) => status === 0 || status >= 500

function summarize(outcomes: readonly Outcome[], from: number): SilentDatabaseMetrics {
  const of = (kind: RequestKind) => outcomes.filter((outcome) => outcome.kind === kind)
  const worst = (kind: RequestKind) => Math.round(Math.max(0, ...of(kind).map(({ ms }) => ms)))
  const lastFailed = Math.max(from, ...outcomes.filter(isFailure).map(({ startedAt }) => startedAt))
  const next = outcomes.map(({ startedAt }) => startedAt).filter((time) => time > lastFailed)
  const count = (kind: RequestKind) => {
    const counts: Record<number, number> = {}
    for (const { status } of of(kind)) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
  return {
    recoveryMs: Math.round(Math.min(...next) - from),
    worstReadyMs: worst('ready'),
    worstHealthMs: worst('health'),
    worstCachedMs: worst('cached'),
    worstDatabaseMs: worst('database'),
    statuses: { ready: count('ready'), health: count('health'), cached: count('cached'), database: count('database') },
  }
}

/** Stops a PostgreSQL server and its sessions with SIGSTOP. Returns a function that lets them go on. */
export function stopPostgres(postmaster: number): () => void {
  const stopped = [postmaster, ...findChildren(postmaster)]
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of stopped.toReversed()) process.kill(pid, 'SIGCONT')
  }
}
