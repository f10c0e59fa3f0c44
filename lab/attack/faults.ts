import { makeMember, signIn } from '#tests/support/factories.ts'
import { attackWithBodies, MAX_HEALTHZ_MS } from './hostile-bodies.ts'
import type { Report } from './report.ts'
import { attackSilentDatabase, stopPostgres } from './silent-database.ts'
import { AttackedSite } from './site.ts'

interface FaultOptions {
  seconds: number
  report: Report
}

const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=256' }
const HOSTILE_MEMBERS = 8

/** 64 connections send costly bodies to a site with a heap of 256 MB. It survives, and other requests succeed. */
export async function sendHostileBodies({ seconds, report }: FaultOptions): Promise<void> {
  const site = new AttackedSite({ settings: SMALL_HEAP })
  try {
    await site.start()
    const { pid } = site
    const tokens: string[] = []
    for (let i = 0; i <= HOSTILE_MEMBERS; i++) tokens.push(await makeToken(site))
    const [honestToken = '', ...hostileTokens] = tokens
    const origin = `http://127.0.0.1:${site.port}`
    const { healthz, lists, publishing, attackers } = await attackWithBodies({
      origin,
      hostileTokens,
      honestToken,
      seconds,
      pid,
    })
    report.requests += Object.values(attackers).reduce((sum, times) => sum + times, 0)
    report.recordMeasurement({ name: '/healthz', ...healthz, targetMs: MAX_HEALTHZ_MS })
    report.recordMeasurement({ name: 'lists', ...lists })
    report.recordMeasurement({ name: 'publishing', ...publishing })
    report.check(site.isRunning && site.pid === pid, () => `the server has stopped:\n${site.output}`)
    for (const [name, { failed }] of Object.entries({ healthz, lists, publishing })) {
      report.check(failed === 0, () => `${failed} requests of others to ${name} failed beside hostile bodies`)
    }
    const errors = Object.keys(attackers).filter((status) => Number(status) >= 500 && status !== '503')
    report.check(errors.length === 0, () => `hostile bodies were answered with ${errors.join(', ')}`)
  } finally {
    await site.close()
  }
}

const makeToken = async (site: AttackedSite): Promise<string> =>
  (await signIn(site.db, await makeMember(site.db))).authorization.slice('Bearer '.length)

/** All processes of PostgreSQL stop for a while and go on. Cached pages and lists are served, everything recovers. */
export async function silenceDatabase({ seconds, report }: FaultOptions): Promise<void> {
  if (process.platform === 'win32') {
    report.skip('because Windows cannot stop the processes of PostgreSQL')
    return
  }
  const site = new AttackedSite()
  try {
    await site.start()
    const memberHeaders = await signIn(site.db, await makeMember(site.db))
    let resume: (() => void) | undefined
    const metrics = await attackSilentDatabase({
      origin: `http://127.0.0.1:${site.port}`,
      silence: () => {
        resume = stopPostgres(site.postmasterPid)
      },
      restore: () => resume?.(),
      silentMs: seconds * 1000,
      memberHeaders,
    })
    report.worstMs = metrics.worstDatabaseMs
    for (const [kind, counts] of Object.entries(metrics.statuses)) {
      const statuses = Object.entries(counts)
      report.requests += statuses.reduce((sum, [, times]) => sum + times, 0)
      for (const [status] of statuses) {
        const isCached = kind === 'health' || kind === 'cached'
        const isRight = isCached ? status === '200' : Number(status) > 0 && (Number(status) < 500 || status === '503')
        report.check(isRight, () => `a request of the kind ${kind} was answered with ${status}`)
      }
    }
    report.check(Number.isFinite(metrics.recoveryMs), () => 'the site did not recover within two minutes')
  } finally {
    await site.close()
  }
}
