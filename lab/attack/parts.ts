import { attackAuthorization } from './authorization.ts'
import { damageIndex } from './damaged-index.ts'
import { sendHostileBodies, silenceDatabase } from './faults.ts'
import { fillDisk } from './full-disk.ts'
import { fuzz } from './fuzz.ts'
import { attackHeldVersions } from './held-versions.ts'
import { killPostgres, killServer, killWorker } from './kills.ts'
import { Report, type PartResult } from './report.ts'
import { AttackedSite } from './site.ts'
import { attackWithSlowClients } from './slow-clients.ts'

export interface AttackOptions {
  seed: number
  /** A subset in about two minutes instead of half an hour. */
  isQuick: boolean
  /** Duration of `hostile-bodies`, which replaces its default. */
  seconds?: number
}

type Part = (report: Report, options: AttackOptions) => Promise<void>

async function onSite(run: (site: AttackedSite) => Promise<void>): Promise<void> {
  const site = new AttackedSite()
  try {
    await site.start()
    await run(site)
  } finally {
    await site.close()
  }
}

const killOptions = (isQuick: boolean) => (isQuick ? { rounds: 1, writers: 50 } : { rounds: 10 })

export const PARTS: Record<string, Part> = {
  fuzz: (report, { seed, isQuick }) => onSite((site) => fuzz(site, { seed, count: isQuick ? 2000 : 100_000, report })),
  authorization: (report) => onSite((site) => attackAuthorization(site, { report })),
  'hostile-bodies': (report, { isQuick, seconds = isQuick ? 10 : 120 }) => sendHostileBodies({ seconds, report }),
  'slow-clients': (report, { isQuick }) =>
    onSite((site) => attackWithSlowClients(site, { count: isQuick ? 100 : 500, seconds: isQuick ? 5 : 60, report })),
  'kill-server': (report, { isQuick }) => killServer({ ...killOptions(isQuick), report }),
  'kill-worker': (report, { isQuick }) => killWorker({ ...killOptions(isQuick), report }),
  'kill-postgres': (report, { isQuick }) => killPostgres({ ...killOptions(isQuick), report }),
  'held-versions': (report, { seed, isQuick }) =>
    attackHeldVersions({ seed, publications: isQuick ? 40 : 200, requests: isQuick ? 1000 : 10_000, report }),
  'silent-database': (report, { isQuick }) => silenceDatabase({ seconds: isQuick ? 5 : 30, report }),
  'full-disk': (report, { isQuick }) => fillDisk({ seconds: isQuick ? 5 : 60, report }),
  'damaged-index': (report, { seed }) => damageIndex({ seed, report }),
}

/** Runs one part. An error in it counts as its failure. */
export async function runPart(name: string, options: AttackOptions): Promise<PartResult> {
  const report = new Report()
  const started = performance.now()
  try {
    await PARTS[name]?.(report, options)
  } catch (error) {
    report.check(false, () => (error instanceof Error ? (error.stack ?? error.message) : String(error)))
  }
  return { name, report, seconds: (performance.now() - started) / 1000 }
}
