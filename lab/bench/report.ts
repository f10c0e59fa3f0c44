import type { Lists } from './lists.ts'
import { type LoadStats, medianRatio } from './load.ts'
import type { WorkerComparison } from './workers.ts'

export interface ReportRow {
  name: string
  measured: number
  /** The target; a row without one is for information. */
  min?: number
  max?: number
}

/** Stands in for zero responses per second in ratios. */
const MIN_PER_SECOND = 0.1
const divide = (one: number, other: number) => Number((one / other).toFixed(2))
const ratio = (one?: LoadStats, other?: LoadStats) => (one && other ? Number(medianRatio(one, other).toFixed(2)) : NaN)

export function listRows(lists: Lists, size: string, isLarge: boolean): ReportRow[] {
  const { mix, cached, fresh, restarts, visibility, memory, inside } = lists
  const query = inside.times['list query']
  const worst = Math.max(
    inside.times['middle page, three flags']?.worst ?? 0,
    inside.times['two-letter prefix']?.worst ?? 0,
  )
  const row = (name: string, measured: number, target: Pick<ReportRow, 'min' | 'max'> = {}): ReportRow => ({
    name: `${size}: ${name}`,
    measured,
    ...target,
  })
  return [
    row('list mix ÷ node:http with JSON.stringify', ratio(mix.lists, mix.stringify), isLarge ? {} : { min: 0.9 }),
    row('list mix ÷ node:http with a ready Buffer', ratio(mix.lists, mix.ready), isLarge ? {} : { min: 0.3 }),
    ...Object.entries(cached).map(([name, { site, ready }]) =>
      row(`a cached ${name} ÷ node:http with a ready Buffer`, ratio(site, ready), { min: 0.8 }),
    ),
    row('list mix ÷ the SQL implementation', divide(mix.lists.perSecond, Math.max(mix.sql.perSecond, MIN_PER_SECOND)), {
      min: isLarge ? 70 : 40,
    }),
    row('last page ÷ first page, in the server', inside.lastOverFirst, { max: 1.5 }),
    row('facets ÷ one SQL count', inside.facetsOverCount, { max: 0.02 }),
    row('list query in the server, p50 ms', query?.p50 ?? NaN, { max: 0.1 }),
    row('list query in the server, p99 ms', query?.p99 ?? NaN, { max: 1 }),
    row('search by relevance in the server, p99 ms', inside.times['search by relevance']?.p99 ?? NaN, { max: 3 }),
    row('worst middle page or two-letter prefix, ms', worst, { max: 3 }),
    row('suggestions, p99 ms', inside.times['suggestions for two letters']?.p99 ?? NaN, { max: 5 }),
    row('related scripts, p99 ms', inside.times['related scripts']?.p99 ?? NaN, { max: 2 }),
    row('index, MB', inside.memory, { max: 300 }),
    row('index with its set caches after the mix, MB', inside.memoryAfter),
    row('process under load, MB', memory, { max: 1000 }),
    row('ready with a snapshot, s', divide(restarts.ready, 1000), { max: 2 }),
    row('ready without a snapshot, s', divide(fresh.ready, 1000), { max: 30 }),
    row('longest stall while the index is built, ms', fresh.stall, { max: 20 }),
    row('the same, worst of all starts, ms', fresh.worst),
    row('an idle process at the same time, ms', fresh.idle),
    row('longest stall while the snapshot is read, ms', restarts.stall, { max: 20 }),
    row('the same, worst of all starts, ms', restarts.worst),
    row('an idle process at the same time, ms', restarts.idle),
    row('write of another process visible in lists, ms', visibility, { max: 1000 }),
  ]
}

export function workerRows({ oneOnOne, twoOnTwo, oneOnAll, twoOnAll }: WorkerComparison, size: string): ReportRow[] {
  return [
    { name: `${size}: two workers on two CPUs ÷ one on one`, measured: divide(twoOnTwo, oneOnOne), min: 1.6 },
    { name: `${size}: two workers ÷ one, each on all CPUs`, measured: divide(twoOnAll, oneOnAll) },
  ]
}

export function printReport(rows: readonly ReportRow[]): void {
  console.table(
    rows.map(({ name, measured, min, max }) => {
      const target = min !== undefined ? `≥ ${min}` : max !== undefined ? `≤ ${max}` : ''
      const isReached = measured >= (min ?? -Infinity) && measured <= (max ?? Infinity)
      return { name, measured, target, reached: target && (isReached ? 'yes' : 'NO') }
    }),
  )
}
