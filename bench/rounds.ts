import { type Load, load } from './wrk.ts'
import type { Metered } from './processes.ts'

export interface Figures {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Microseconds of the processor for one answer: what others do on the machine changes it little. */
  cpu: number
}

export interface How extends Omit<Load, 'origin'> {
  rounds: number
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** The same load on each of these in turn, several times, so that all meet the same machine; the medians. */
export async function inTurn<T extends string>(
  sites: Record<T, Metered>,
  { rounds, ...how }: How,
): Promise<Record<T, Figures>> {
  const names = Object.keys(sites) as T[]
  const measured = new Map<T, Figures[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured.get(name)?.push(await meter(sites[name], how))
  }
  const figures = names.map((name) => {
    const all = measured.get(name) ?? []
    const of = (pick: (figures: Figures) => number, digits: number) => Number(median(all.map(pick)).toFixed(digits))
    return [
      name,
      {
        perSecond: of((one) => one.perSecond, 0),
        p50: of((one) => one.p50, 2),
        p99: of((one) => one.p99, 2),
        cpu: of((one) => one.cpu, 1),
      },
    ]
  })
  return Object.fromEntries(figures) as Record<T, Figures>
}

async function meter(site: Metered, how: Omit<Load, 'origin'>): Promise<Figures> {
  const before = await site.measureCpu()
  const { perSecond, p50, p99, allRequests } = await load({ ...how, origin: site.origin })
  const spent = (await site.measureCpu()) - before
  return { perSecond, p50, p99, cpu: (spent / allRequests) * 1e6 }
}
