import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findOfDebian } from '../scripts/run/debian.mjs'

export interface Load {
  origin: string
  /** Addresses in the order they are asked for, over and over. */
  addresses: readonly string[]
  folder: string
  seconds: number
  /** Before what is measured; 1 unless told. */
  warmUpSeconds?: number
  connections?: number
}

export interface Measured {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Of the warm-up too. */
  allRequests: number
}

const CONNECTIONS = 64
const script = path.join(import.meta.dirname, 'wrk.lua')
const run = promisify(execFile)

function findWrk(): string {
  const found = process.env['WRK'] ?? findOfDebian('/usr/bin/wrk', 'wrk')
  if (found) return found
  throw new Error(
    'wrk, which makes the load, is not here. Install it (https://github.com/wg/wrk) and set WRK to its path.',
  )
}
const wrk = findWrk()

/**
 * Requests as fast as they are answered, by wrk: one thread of C that takes little from what it measures. Throws when one
 * was not a 200.
 */
export async function load(asked: Load): Promise<Measured> {
  const { origin, addresses, folder, seconds, warmUpSeconds = 1, connections = CONNECTIONS } = asked
  const file = path.join(folder, 'addresses')
  await writeFile(file, addresses.join('\n'))
  const once = async (duration: number) => {
    const args = ['-t1', `-c${connections}`, `-d${duration}s`, '--timeout', '30s', '-s', script, origin, '--', file]
    const { stdout } = await run(wrk, args)
    const told = stdout.split('\n').find((line) => line.startsWith('{')) ?? '{}'
    return JSON.parse(told) as { requests: number; us: number; p50: number; p99: number; failed: number }
  }
  const warmUp = warmUpSeconds > 0 ? (await once(warmUpSeconds)).requests : 0
  const { requests, us, p50, p99, failed } = await once(seconds)
  if (failed > 0) throw new Error(`${origin}: ${failed} of ${requests} failed`)
  return { perSecond: (requests / us) * 1e6, p50: p50 / 1000, p99: p99 / 1000, allRequests: warmUp + requests }
}
