import type { Lists } from './lists.ts'
import type { Compared } from './processes-compared.ts'
import { compare, type Figures } from './rounds.ts'

export interface Row {
  what: string
  measured: number
  /** What it is to be: `atLeast` or `atMost`; neither is for information. */
  atLeast?: number
  atMost?: number
}

/** Of what did not answer once while it was looked at, a second. */
const LEAST_SEEN = 0.1
const divide = (one: number, other: number) => Number((one / other).toFixed(2))
const ratio = (one?: Figures, other?: Figures) => (one && other ? Number(compare(one, other).toFixed(2)) : NaN)

/** What the lists of one size are held to. */
export function rowsOf(lists: Lists, size: string, isLarge: boolean): Row[] {
  const { mix, list, page, fresh, restarts, seen, memory, inside } = lists
  const query = inside.times['a query of the mix']
  const worst = Math.max(inside.times['middle page, three flags']?.worst ?? 0, inside.times['two letters']?.worst ?? 0)
  const row = (what: string, measured: number, target: Partial<Row> = {}) => ({
    what: `${size}: ${what}`,
    measured,
    ...target,
  })
  return [
    row('list mix ÷ node:http with JSON.stringify', ratio(mix.lists, mix.stringify), isLarge ? {} : { atLeast: 0.9 }),
    row('list mix ÷ node:http with a ready Buffer', ratio(mix.lists, mix.ready), isLarge ? {} : { atLeast: 0.3 }),
    row('a kept list ÷ node:http with a ready Buffer', ratio(list?.site, list?.ready), {
      atLeast: 0.8,
    }),
    row('a kept page ÷ node:http with a ready Buffer', ratio(page?.site, page?.ready), {
      atLeast: 0.8,
    }),
    row('list mix ÷ the SQL implementation', divide(mix.lists.perSecond, Math.max(mix.sql.perSecond, LEAST_SEEN)), {
      atLeast: isLarge ? 70 : 40,
    }),
    row('last page ÷ first page, in the server', inside.lastOverFirst, { atMost: 1.5 }),
    row('facets ÷ one SQL count', inside.facetsOverCount, { atMost: 0.02 }),
    row('a query of the mix in the server, p50 ms', query?.p50 ?? NaN, { atMost: 0.1 }),
    row('a query of the mix in the server, p99 ms', query?.p99 ?? NaN, { atMost: 1 }),
    row('a search by relevance in the server, p99 ms', inside.times['a search by relevance']?.p99 ?? NaN, {
      atMost: 3,
    }),
    row('worst middle page or two letters, ms', worst, { atMost: 3 }),
    row('suggestions, p99 ms', inside.times['suggestions for two letters']?.p99 ?? NaN, { atMost: 5 }),
    row('index, MB', inside.memory, { atMost: 300 }),
    row('index and what the mix made beside it, MB', inside.memoryAfter),
    row('process under load, MB', memory, { atMost: 1000 }),
    row('ready with a snapshot, s', divide(restarts.ready, 1000), { atMost: 2 }),
    row('ready without a snapshot, s', divide(fresh.ready, 1000), { atMost: 30 }),
    row('longest stall while the index is made, ms', fresh.stall, { atMost: 20 }),
    row('the longest in all of these starts, ms', fresh.worst),
    row('of a process meanwhile that does nothing, ms', fresh.idle),
    row('longest stall while the snapshot is read, ms', restarts.stall, { atMost: 20 }),
    row('the longest in all of these starts, ms', restarts.worst),
    row('of a process meanwhile that does nothing, ms', restarts.idle),
    row('a write of another process in lists after, ms', seen, { atMost: 1000 }),
  ]
}

/** What a second process brings. */
export function processRowsOf({ oneOnOne, twoOnTwo, oneOnAll, twoOnAll }: Compared, size: string): Row[] {
  return [
    {
      what: `${size}: two processes on two processors ÷ one on one`,
      measured: divide(twoOnTwo, oneOnOne),
      atLeast: 1.6,
    },
    { what: `${size}: two processes ÷ one, each on all processors there are`, measured: divide(twoOnAll, oneOnAll) },
  ]
}

export function printRows(rows: readonly Row[]): void {
  console.table(
    rows.map(({ what, measured, atLeast, atMost }) => {
      const target = atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : ''
      const isReached = measured >= (atLeast ?? -Infinity) && measured <= (atMost ?? Infinity)
      return { what, measured, 'to reach': target, reached: target && (isReached ? 'yes' : 'NO') }
    }),
  )
}
