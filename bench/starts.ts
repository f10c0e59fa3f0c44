import { fork } from 'node:child_process'
import path from 'node:path'
import { ask, hear, type Report, type RunningApi, startApi } from './processes.ts'
import { median } from './rounds.ts'

export interface Starts extends Report {
  /** Milliseconds: the longest that a process that does nothing had to wait meanwhile. */
  idle: number
  /** The longest stall of all starts. */
  worst: number
}

/** Starts the site so many times, each after `prepare`, and leaves the last one running; the medians. */
export async function startOften(
  times: number,
  env: Record<string, string>,
  prepare: () => Promise<void> = async () => {},
): Promise<{ site: RunningApi; starts: Starts }> {
  const all: Omit<Starts, 'worst'>[] = []
  for (;;) {
    await prepare()
    const idle = fork(path.join(import.meta.dirname, 'idle.ts'))
    await hear(idle)
    const site = await startApi(env)
    all.push({ ...site.report, idle: await ask<number>(idle, 'longest') })
    idle.disconnect()
    if (all.length >= times) {
      const of = (name: 'ready' | 'stall' | 'idle') => median(all.map((one) => one[name]))
      const worst = Math.max(...all.map(({ stall }) => stall))
      return { site, starts: { ready: of('ready'), stall: of('stall'), idle: of('idle'), worst } }
    }
    await site.stop()
  }
}
