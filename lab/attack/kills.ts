// kill -9 of the server, of a worker and of PostgreSQL, under many writers.
import { readFileSync } from 'node:fs'
import { findChildren } from '#tests/support/processes.ts'
import { checkSums } from './checks.ts'
import type { Report } from './report.ts'
import { AttackedSite } from './site.ts'
import { Writers } from './writers.ts'

export interface KillOptions {
  rounds: number
  /** 200 unless given. */
  writers?: number
  report: Report
}

/** Writes acknowledged before each kill, so that it hits a site under load. */
const WRITES_BEFORE = 100

async function killUnderWriters(
  settings: Record<string, string>,
  { rounds, writers: count, report }: KillOptions,
  kill: (site: AttackedSite) => Promise<void> | void,
): Promise<void> {
  const site = new AttackedSite({ settings })
  try {
    await site.start()
    const writers = new Writers(site, report, count)
    await writers.start()
    for (let round = 0; round < rounds; round++) {
      await writers.waitFor(WRITES_BEFORE)
      await kill(site)
      report.check(await site.waitUntilReady(), () => 'the site was not ready 30 seconds after the kill')
    }
    await writers.waitFor(WRITES_BEFORE)
    await writers.stop()
    await writers.verify(site.pool)
    await checkSums(report, site.pool)
    writers.close()
  } finally {
    await site.close()
  }
}

export const killServer = (options: KillOptions): Promise<void> =>
  killUnderWriters({}, options, async (site) => {
    await site.kill('SIGKILL')
    await site.start()
  })

export const killWorker = (options: KillOptions): Promise<void> =>
  killUnderWriters({ WORKERS: '2' }, options, (site) => {
    process.kill(findWorker(site.pid), 'SIGKILL')
  })

export const killPostgres = (options: KillOptions): Promise<void> =>
  killUnderWriters({}, options, (site) => {
    process.kill(site.postmasterPid, 'SIGKILL')
  })

export function findWorker(primary: number): number {
  const worker = findChildren(primary).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker.ts'))
  if (worker === undefined) throw new Error('The site has no worker.')
  return worker
}
