import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findOfDebian } from '../../scripts/run/debian.mjs'
import type { MeasuredProcess } from './processes.ts'

const CONNECTIONS = 64
const script = path.join(import.meta.dirname, 'wrk.lua')
const run = promisify(execFile)

async function findWrk(): Promise<string> {
  const found = process.env['WRK'] ?? (await findOfDebian('/usr/bin/wrk', 'wrk'))
  if (found) return found
  throw new Error('The load generator wrk is missing. Install it (https://github.com/wg/wrk) and set WRK to its path.')
}
const wrk = await findWrk()

export interface Load {
  origin: string
  /** Paths in the order of the requests, repeated in a loop. */
  paths: readonly string[]
  folder: string
  seconds: number
  /** 1 by default. */
  warmUpSeconds?: number
  connections?: number
}

export interface LoadResult {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Including the warm-up. */
  allRequests: number
}

/** Sends requests as fast as they are answered, with wrk on one thread. Throws if a response is not 200. */
export async function load(options: Load): Promise<LoadResult> {
  const { origin, paths, folder, seconds, warmUpSeconds = 1, connections = CONNECTIONS } = options
  const file = path.join(folder, 'paths')
  await writeFile(file, paths.join('\n'))
  const runFor = async (duration: number) => {
    const args = ['-t1', `-c${connections}`, `-d${duration}s`, '--timeout', '30s', '-s', script, origin, '--', file]
    const { stdout } = await run(wrk, args)
    const summary = stdout.split('\n').find((line) => line.startsWith('{')) ?? '{}'
    return JSON.parse(summary) as { requests: number; us: number; p50: number; p99: number; failed: number }
  }
  const warmUp = warmUpSeconds > 0 ? (await runFor(warmUpSeconds)).requests : 0
  const { requests, us, p50, p99, failed } = await runFor(seconds)
  if (failed > 0) throw new Error(`${origin}: ${failed} of ${requests} requests failed`)
  return { perSecond: (requests / us) * 1e6, p50: p50 / 1000, p99: p99 / 1000, allRequests: warmUp + requests }
}

export interface LoadStats {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** CPU time per response, microseconds. */
  cpu: number
  /** Responses per second of each round. */
  rounds: number[]
}

export interface LoadOptions extends Omit<Load, 'origin' | 'warmUpSeconds'> {
  rounds: number
}

export const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/**
 * Puts the same load on each process in turn, in several rounds, and returns the medians. The speed of a shared machine
 * changes over time; `medianRatio` compares the results within each round.
 */
export async function measureInTurn<T extends string>(
  processes: Record<T, MeasuredProcess>,
  { rounds, ...options }: LoadOptions,
): Promise<Record<T, LoadStats>> {
  const names = Object.keys(processes) as T[]
  const measured = new Map<T, Round[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names)
      measured.get(name)?.push(await measureRound(processes[name], { ...options, warmUpSeconds: round ? 0 : 1 }))
  }
  const stats = names.map((name) => {
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
  return Object.fromEntries(stats) as Record<T, LoadStats>
}

/** The ratio of responses per second of two processes that were measured in turn: the median over the rounds. */
export function medianRatio(one: LoadStats, other: LoadStats): number {
  return median(one.rounds.map((perSecond, round) => perSecond / (other.rounds[round] ?? NaN)))
}

type Round = Omit<LoadStats, 'rounds'>

async function measureRound(target: MeasuredProcess, options: Omit<Load, 'origin'>): Promise<Round> {
  const before = await target.measureCpu()
  const { perSecond, p50, p99, allRequests } = await load({ ...options, origin: target.origin })
  const cpuSeconds = (await target.measureCpu()) - before
  return { perSecond, p50, p99, cpu: (cpuSeconds / allRequests) * 1e6 }
}
