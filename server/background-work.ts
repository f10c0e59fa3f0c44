// All work that no request waits for. It is of four kinds; `tests/architecture.test.ts` rejects work that is started elsewhere.
//
// 1. Jobs of the queue (`declareJobs`): once per cause, after its commit, at least once, on the first process of a machine.
// 2. Scheduled jobs (`startScheduledJobs`): at intervals, on the first process of a machine.
// 3. Programs in a child process (server/platform/jobs/background-process.ts), for one of the above or for the index:
//    - server/operations/backup/scheduled.ts: a backup, and its verification
//    - server/operations/dumps/daily.ts: a data dump
//    - server/operations/wal-archive/scheduled.ts: a base backup of the embedded database
//    - server/features/catalogue/index-builder.ts: the index of a large catalogue, at a start
// 4. Loops, in every process:
//    - server/features/catalogue/feed.ts: changed scripts, every 400 ms
//    - server/features/catalogue/memory-catalogue.ts: tries again after a failed update of the index, after a second
//    - server/features/site/branding.ts, server/operations/setup/setup.ts: whether another process changed them, every second
//    - server/features/scripts/visits.ts: writes the counted visits, every two seconds
//    - server/features/notifications/streams.ts: heartbeats of open streams
//    - server/platform/db/listener.ts: heartbeats of the connection that listens, every 1.5 seconds
//    - server/platform/db/replicas.ts: how far replicas are, every 500 ms
//    - server/platform/db/silence.ts: connections that wait for an answer, every 300 ms
//    - server/platform/security/security-log.ts: sums of repeated events, after a minute
//    - server/operations/processes: heartbeats of workers, and memory that is not used, every 20 seconds
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { type ScheduledJob, ScheduledJobs } from '#server/platform/db/scheduled-jobs.ts'
import { type AnalysisOptions, analyzeCode, FORMER_CODE, NEW_CODE } from '#server/features/behavior/analyze.ts'
import { reportScriptsOfHost } from '#server/features/behavior/collectors.ts'
import { countBehavior } from '#server/features/behavior/counts.ts'
import { deleteUnusedHashes } from '#server/features/copies/hashes.ts'
import { deleteUnusedCards, Rescan } from '#server/features/behavior/rescan.ts'
import { releaseConfirmed, resumeChecks } from '#server/features/releases/checks.ts'
import { notifyOfWithdrawal } from '#server/features/releases/notify-withdrawal.ts'
import { createEmit } from '#server/features/webhooks/emit.ts'
import { refreshDocuments } from '#server/features/catalogue/search-document.ts'
import type { ScheduledBackup } from '#server/operations/backup/scheduled.ts'
import type { DailyDump } from '#server/operations/dumps/daily.ts'
import { enqueueDigests } from '#server/features/email/digest.ts'
import { resumeEmails } from '#server/features/email/outbox.ts'
import type { EmailJobs } from '#server/features/email/routes.ts'
import { endCases, openHoldCases } from '#server/features/reports/causes.ts'
import { refreshReach } from '#server/features/reports/reach.ts'
import { MAX_ATTEMPTS } from '#server/features/repository-sync/sync.ts'
import type { MediaSweep } from '#server/platform/media/sweep.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { syncAllVotes } from '#server/features/ratings/summary.ts'
import {
  type DeliveryOptions,
  deliverDue,
  failDelayedDeliveries,
  wakeDeliveries,
} from '#server/features/webhooks/deliver.ts'
import type { ScheduledBaseBackup } from '#server/operations/wal-archive/scheduled.ts'
import { reportBrokenUpdates } from '#server/features/works/broken-updates.ts'
import { syncAllWorksVotes } from '#server/features/works/recount.ts'
import type { App } from '#server/platform/http/app.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import type { Tracing } from '#server/operations/tracing/tracing.ts'

import type { RepositoryJobs } from './repositories.ts'
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

interface JobServices {
  db: Database
  analysis: AnalysisOptions
  delivery: DeliveryOptions
  repositories: RepositoryJobs
  /** Undefined on a site that sends no email. */
  email: EmailJobs | undefined
}

/** Call it in every process: each adds jobs, and the first process of a machine runs them. */
export function declareJobs(jobs: JobQueue, { db, analysis, delivery, repositories, email }: JobServices): void {
  // New code: makes its card, and notifies whom the card concerns. It does not wait for code that was published before.
  jobs.work('analyze-code', NEW_CODE, ({ sha256 }, signal) => analyzeCode(analysis, sha256, signal))
  jobs.work('reanalyze-code', FORMER_CODE, ({ sha256 }, signal) => analyzeCode(analysis, sha256, signal))
  // Members who may use code that was withdrawn.
  jobs.work('notify-withdrawal', { concurrency: 1, attempts: 5, timeoutSeconds: 60 }, ({ id }, signal) =>
    notifyOfWithdrawal(db, id, signal),
  )
  // Scripts that contact a host which moderators marked as a collector of data.
  jobs.work('report-collector', { concurrency: 1, attempts: 5, timeoutSeconds: 300 }, ({ host }, signal) =>
    reportScriptsOfHost(db, host, signal),
  )
  // The numbers of the portal's tab on behavior, when somebody reads old ones.
  jobs.work('count-behavior', { concurrency: 1, attempts: 3, timeoutSeconds: 300 }, () => countBehavior(db))
  // Everything that is due at webhooks; one run completes many jobs.
  jobs.work('deliver-webhooks', { concurrency: 1, attempts: 5, timeoutSeconds: 60, batchSize: 1000 }, (_data, signal) =>
    deliverDue(delivery, signal),
  )
  // A push to a connected repository. More attempts than a sync takes: a process that dies uses one, too.
  jobs.work('sync-script', { concurrency: 3, attempts: 3 * MAX_ATTEMPTS, timeoutSeconds: 30 }, ({ scriptId }) =>
    repositories.syncScript(scriptId),
  )
  if (!email) return
  // One email of the outbox, with attempts for about a day. One whose process died is sent again after the timeout.
  jobs.work('send-email', { concurrency: 2, attempts: 32, timeoutSeconds: 60 }, ({ id }, signal) =>
    email.sendEmail(id, signal),
  )
  jobs.work('write-digest', { concurrency: 1, attempts: 10, timeoutSeconds: 60 }, ({ memberId }) =>
    email.writeDigest(memberId),
  )
}

export interface ScheduleOptions {
  config: Config
  runsJobs?: boolean | undefined
  tracing?: Pick<Tracing, 'runJob'> | undefined
}

export interface ScheduledServices {
  app: App
  db: Database
  jobs: JobQueue
  sweep: MediaSweep
  dailyDump: DailyDump
  scheduledBackup: ScheduledBackup
  baseBackup: ScheduledBaseBackup
}

/** One process per machine runs them. */
export function startScheduledJobs(
  { config, runsJobs = true, tracing }: ScheduleOptions,
  services: ScheduledServices,
): ScheduledJobs {
  const { app, db, sweep, jobs, dailyDump, scheduledBackup, baseBackup } = services
  const rescan = new Rescan(db, jobs)
  const emit = createEmit({ jobs, publicUrl: config.publicUrl })
  const scheduled: ScheduledJob[] = [
    ...(runsJobs
      ? [
          { name: 'find code to analyze', everyMs: 2 * SECOND_MS, run: () => rescan.run() },
          { name: 'resume checks of versions', everyMs: 15 * SECOND_MS, run: () => resumeChecks(db, jobs) },
          {
            name: 'release confirmed versions',
            everyMs: 5 * SECOND_MS,
            run: () => releaseConfirmed({ db, jobs, emit }),
          },
          { name: 'wake webhook deliveries', everyMs: 5 * SECOND_MS, run: () => wakeDeliveries(db, jobs) },
        ]
      : []),
    ...(runsJobs && config.email
      ? [
          { name: 'find due digests', everyMs: 30 * SECOND_MS, run: () => enqueueDigests(db, jobs) },
          { name: 'resume emails', everyMs: 10 * MINUTE_MS, run: () => resumeEmails(db, jobs) },
        ]
      : []),
    {
      name: 'open and end automatic cases',
      everyMs: 15 * SECOND_MS,
      run: async () => {
        await openHoldCases(db)
        await endCases(db)
      },
    },
    { name: 'find broken updates', everyMs: 5 * MINUTE_MS, run: () => reportBrokenUpdates(db) },
    { name: 'refresh the order of cases', everyMs: 10 * MINUTE_MS, run: () => refreshReach(db) },
    { name: 'refresh search documents', everyMs: 5 * SECOND_MS, run: () => refreshDocuments(db) },
    { name: 'delete unused behavior cards', everyMs: HOUR_MS, run: () => deleteUnusedCards(db) },
    { name: 'delete unused code hashes', everyMs: HOUR_MS, run: () => deleteUnusedHashes(db) },
    { name: 'fail delayed webhook deliveries', everyMs: HOUR_MS, run: () => failDelayedDeliveries(db) },
    { name: 'delete due data', everyMs: HOUR_MS, run: () => deleteDueData(db) },
    { name: 'delete unused images', everyMs: HOUR_MS, run: () => sweep.run() },
    ...(config.dumpKeepDays > 0 ? [{ name: 'write dump', everyMs: 10 * MINUTE_MS, run: () => dailyDump.run() }] : []),
    { name: 'back up', everyMs: MINUTE_MS, run: () => scheduledBackup.run() },
    ...(config.walArchive ? [{ name: 'write base backup', everyMs: MINUTE_MS, run: () => baseBackup.run() }] : []),
    { name: 'recount votes of banned members', everyMs: 20 * SECOND_MS, run: () => syncAllVotes(db) },
    { name: 'recount works votes', everyMs: 20 * SECOND_MS, run: () => syncAllWorksVotes(db) },
  ]
  return new ScheduledJobs(app.log, scheduled, tracing?.runJob)
}
