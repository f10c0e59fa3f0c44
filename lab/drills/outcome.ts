// What a drill measured, and whether it passed. Times are milliseconds of one clock.

export interface Fault {
  name: string
  startedAt: number
  /** Longest acceptable pause of acknowledged writes from the fault on. Without it, the pause is only shown. */
  maxPauseMs?: number
}

export interface Read {
  path: string
  startedAt: number
  ms: number
  /** 0 without a response. */
  status: number
}

export interface Measurements {
  startedAt: number
  endedAt: number
  faults: readonly Fault[]
  /** When the site acknowledged each write. */
  acknowledgedAt: readonly number[]
  reads: readonly Read[]
}

interface FaultOutcome {
  name: string
  /** From the fault until the end of the longest pause of acknowledged writes after it. Infinity if they did not resume. */
  resumedMs: number
  reads: number
  failedReads: number
  slowestReadMs: number
}

/** A read that takes longer has failed. */
export const MAX_READ_MS = 2000

export const isFailedRead = ({ status, ms }: Read): boolean => status === 0 || status >= 500 || ms > MAX_READ_MS

/** One row for each fault: what happened until the next one. */
export function evaluate(measured: Measurements): FaultOutcome[] {
  return measured.faults.map(({ name, startedAt }, i) => {
    const end = measured.faults[i + 1]?.startedAt ?? measured.endedAt
    const isWithin = (time: number) => time >= startedAt && time < end
    const reads = measured.reads.filter((read) => isWithin(read.startedAt))
    return {
      name,
      resumedMs: findResumption(measured.acknowledgedAt.filter(isWithin), startedAt, end) - startedAt,
      reads: reads.length,
      failedReads: reads.filter(isFailedRead).length,
      slowestReadMs: Math.max(0, ...reads.map(({ ms }) => ms)),
    }
  })
}

/** End of the longest pause; Infinity if that is the one before `end`. */
function findResumption(times: readonly number[], start: number, end: number): number {
  let maxPause = 0
  let resumedAt = Infinity
  let previous = start
  for (const time of [...times.toSorted((a, b) => a - b), end]) {
    if (time - previous > maxPause) {
      maxPause = time - previous
      resumedAt = time
    }
    previous = time
  }
  return resumedAt === end ? Infinity : resumedAt
}

export function findFailures(measured: Measurements): string[] {
  return evaluate(measured).flatMap(({ name, resumedMs, failedReads, reads }, i) => {
    const max = measured.faults[i]?.maxPauseMs ?? Infinity
    const resumption =
      resumedMs === Infinity ? 'writes did not resume' : `writes resumed after ${formatSeconds(resumedMs)}`
    const late = resumedMs > max ? [`${name}: ${resumption}, limit ${formatSeconds(max)}`] : []
    const failed = failedReads > 0 ? [`${name}: ${failedReads} of ${reads} reads failed`] : []
    return [...late, ...failed]
  })
}

/** Failed reads by route and status, the most frequent first. */
export function countFailedReads(reads: readonly Read[]): string[] {
  const counts = new Map<string, number>()
  for (const read of reads.filter(isFailedRead)) {
    const route = read.path.replace(/\/scripts\/.*|slug=.*/, (found) =>
      found.startsWith('/') ? '/scripts/…' : 'slug=…',
    )
    const key = `${route} ${read.status < 500 && read.status > 0 ? 'too slow' : read.status}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([key, count]) => `${count} × ${key}`)
}

const formatSeconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never')

/** A table with one row for each fault, in Markdown for docs/operations.md. */
export function formatOutcome(measured: Measurements): string {
  const seconds = (measured.endedAt - measured.startedAt) / 1000
  const rows = evaluate(measured).map(({ name, resumedMs, reads, failedReads, slowestReadMs }) => [
    name,
    formatSeconds(resumedMs),
    `${failedReads} of ${reads}`,
    formatSeconds(slowestReadMs),
  ])
  const table = [
    ['fault', 'writes resumed after', 'failed reads', 'slowest read'],
    ['---', '---', '---', '---'],
    ...rows,
  ]
  const rate = Math.round(measured.acknowledgedAt.length / seconds)
  return [
    ...table.map((row) => `| ${row.join(' | ')} |`),
    `${measured.acknowledgedAt.length} acknowledged writes in ${Math.round(seconds)} s, ${rate} a second`,
    ...countFailedReads(measured.reads),
  ].join('\n')
}
