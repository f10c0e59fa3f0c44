import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { type ScheduledJob, ScheduledJobs } from '#server/platform/db/scheduled-jobs.ts'
import { deleteUnusedCards, Rescan } from '#server/features/behavior/rescan.ts'
import { deleteUnusedHashes } from '#server/features/copies/hashes.ts'
import { refreshDocuments } from '#server/features/catalogue/search-document.ts'
import type { ScheduledBackup } from '#server/operations/backup/scheduled.ts'
import type { DailyDump } from '#server/operations/dumps/daily.ts'
import { enqueueDigests } from '#server/features/email/digest.ts'
import { resumeEmails } from '#server/features/email/outbox.ts'
import type { MediaSweep } from '#server/platform/media/sweep.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { syncAllVotes } from '#server/features/ratings/summary.ts'
import { failDelayedDeliveries, wakeDeliveries } from '#server/features/webhooks/deliver.ts'
import type { ScheduledBaseBackup } from '#server/operations/wal-archive/scheduled.ts'
import { syncAllWorksVotes } from '#server/features/works/recount.ts'
import type { App } from '#server/platform/http/app.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import type { Tracing } from '#server/operations/tracing/tracing.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

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
  const scheduled: ScheduledJob[] = [
    ...(runsJobs
      ? [
          { name: 'find code to analyze', everyMs: 2 * SECOND_MS, run: () => rescan.run() },
          { name: 'wake webhook deliveries', everyMs: 5 * SECOND_MS, run: () => wakeDeliveries(db, jobs) },
        ]
      : []),
    ...(runsJobs && config.email
      ? [
          { name: 'find due digests', everyMs: 30 * SECOND_MS, run: () => enqueueDigests(db, jobs) },
          { name: 'resume emails', everyMs: 10 * MINUTE_MS, run: () => resumeEmails(db, jobs) },
        ]
      : []),
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
