import type { Metered } from './processes.ts'
import { type Load, load } from './wrk.ts'

export interface Figures {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Microseconds of the processor for one answer. */
  cpu: number
  /** Answers a second, round by round. */
  rounds: number[]
}

export interface How extends Omit<Load, 'origin' | 'warmUpSeconds'> {
  rounds: number
}

/** What is in the middle once they are sorted. */
export const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/**
 * The same load on each of these in turn, several times; the medians. A machine that is shared is now quicker, now slower:
 * `compare` sets each round beside the same round of another.
 */
export async function inTurn<T extends string>(
  sites: Record<T, Metered>,
  { rounds, ...how }: How,
): Promise<Record<T, Figures>> {
  const names = Object.keys(sites) as T[]
  const measured = new Map<T, Round[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names)
      measured.get(name)?.push(await meter(sites[name], { ...how, warmUpSeconds: round ? 0 : 1 }))
  }
  const figures = names.map((name) => {
    const all = measured.get(name) ?? []
    const of = (pick: (round: Round) => number, digits: number) => Number(median(all.map(pick)).toFixed(digits))
    return [
      name,
      {
        perSecond: of((one) => one.perSecond, 0),
        p50: of((one) => one.p50, 2),
        p99: of((one) => one.p99, 2),
        cpu: of((one) => one.cpu, 1),
        rounds: all.map((one) => Math.round(one.perSecond)),
      },
    ]
  })
  return Object.fromEntries(figures) as Record<T, Figures>
}

/** How many times as many answers a second as another gave that was loaded in turn with it: the median of the rounds. */
export function compare(one: Figures, other: Figures): number {
  return median(one.rounds.map((perSecond, round) => perSecond / (other.rounds[round] ?? NaN)))
}

type Round = Omit<Figures, 'rounds'>

async function meter(site: Metered, how: Omit<Load, 'origin'>): Promise<Round> {
  const before = await site.measureCpu()
  const { perSecond, p50, p99, allRequests } = await load({ ...how, origin: site.origin })
  const spent = (await site.measureCpu()) - before
  return { perSecond, p50, p99, cpu: (spent / allRequests) * 1e6 }
}
