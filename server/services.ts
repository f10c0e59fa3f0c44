// What the features of one process share.
import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import { type CommitListener, type Database, openDatabase } from '#server/platform/db/database.ts'
import { type BoundedPool, openPool } from '#server/platform/db/pool.ts'
import { openReads, type Reads } from '#server/platform/db/reads.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import { SlowQueryLog } from '#server/platform/db/slow-queries.ts'
import { BrowserCookie } from '#server/features/accounts/browser-cookie.ts'
import { findPersonId } from '#server/features/accounts/persons.ts'
import { Sessions } from '#server/features/accounts/sessions.ts'
import { openSandboxes, type Sandboxes } from '#server/features/behavior/analyze.ts'
import { CatalogueService } from '#server/features/catalogue/service.ts'
import { ScheduledBackup } from '#server/operations/backup/scheduled.ts'
import { DailyDump } from '#server/operations/dumps/daily.ts'
import { createPrizeSeal } from '#server/features/giveaways/seal.ts'
import { MediaSweep } from '#server/platform/media/sweep.ts'
import { type MediaLibrary, openMedia } from '#server/platform/media/upload.ts'
import { VisitCounter } from '#server/features/scripts/visits.ts'
import { logDenials, SecurityLog } from '#server/platform/security/security-log.ts'
import { authenticateTokens } from '#server/features/tokens/routes.ts'
import { Tokens } from '#server/features/tokens/tokens.ts'
import { ScheduledBaseBackup } from '#server/operations/wal-archive/scheduled.ts'
import { createGuards, type Guards } from '#server/platform/authorization/guards.ts'
import { type MemoryLimit, registerRateLimits } from '#server/platform/http/rate-limits.ts'
import type { App } from '#server/platform/http/app.ts'
import { createServer, securityHeaders, type ServerOptions } from '#server/platform/http/server.ts'
import { JobQueue } from '#server/platform/jobs/queue.ts'
import type { Metrics } from '#server/operations/metrics/metrics.ts'
import { FastPath } from '#server/platform/http/fast-path.ts'
import { openSiteSettings, type SiteSettings } from './site-settings.ts'
import type { CountMember } from './repositories.ts'
import type { Tracing } from '#server/operations/tracing/tracing.ts'
import { kindOf, PER_ADDRESS, PER_MEMBER, PER_TOKEN } from './rate-limits.ts'
import type { WebSource } from '#server/platform/pages/web.ts'

export interface BuiltApp {
  app: App
  db: Database
  jobs: JobQueue
  media: MediaLibrary
  seal: Seal
  sweep: MediaSweep
  catalogue: CatalogueService
  visits: VisitCounter
  guards: Guards
  /** Limit of reads per network (`networkOf`); undefined if rate limits are off. */
  readLimit: MemoryLimit | undefined
}

export interface AppOptions {
  config: Config
  pool: BoundedPool
  log: string | false
  logTo?: ServerOptions['logTo']
  web: WebSource
  /** Whether this process runs the scheduled jobs and writes index snapshots, which one process per machine does. */
  isFirst?: boolean
  runsJobs?: boolean
  /** Processes that analyze code; started by default. Closed with the app. */
  sandboxes?: Sandboxes
  peers?: Peers
  metrics?: Metrics | undefined
  tracing?: Tracing | undefined
  /** Start of the site in ISO 8601; by default the start of this process. */
  startedAt?: string
}

export interface Peers {
  publishChanges: CommitListener
  onChanged: (listener: CommitListener) => void
}

export interface Services extends BuiltApp, SiteSettings {
  sandboxes: Sandboxes
  fastPath: FastPath
  /** Connections to the server itself instead of its pooler, for notifications. */
  directPool: BoundedPool
  /** Reads for visitors; may be a second old. */
  publicReads: Reads
  sessions: Sessions
  cookie: BrowserCookie
  tokens: Tokens
  securityLog: SecurityLog
  dailyDump: DailyDump
  scheduledBackup: ScheduledBackup
  baseBackup: ScheduledBaseBackup
  countMember: CountMember | undefined
}

export function openServices(options: AppOptions): Services {
  const { config, pool, log, logTo, isFirst = true, runsJobs = isFirst, peers, tracing } = options
  const { publicUrl, trustProxy, databaseDirectUrl, databaseReplicaUrls } = config
  const db = openDatabase(pool, (scriptIds) => catalogue.invalidate(scriptIds))
  const isHttps = publicUrl.startsWith('https:')
  const fastPath = new FastPath({ headers: securityHeaders(isHttps), trustProxy })
  const app = createServer({ log, ...(logTo ? { logTo } : {}), trustProxy, isHttps, fastPath })
  pool.report = ({ message, ...fields }) => app.log.warn(fields, message)
  if (config.slowQueryMs > 0) pool.queryListeners.push(new SlowQueryLog(app.log, config.slowQueryMs))
  if (tracing) {
    pool.queryListeners.push(tracing)
    tracing.observe(app)
  }
  const publicReads = openReads({ db, pool, replicaUrls: databaseReplicaUrls, log: app.log })
  if (databaseReplicaUrls.length > 0) recordWrites(app, publicReads)
  // A pooler lends a connection for one transaction, too short to receive notifications.
  const directPool = databaseDirectUrl ? openPool(databaseDirectUrl) : pool
  const media = openMedia(config, { concurrency: 2 })
  const catalogue = new CatalogueService({
    db,
    pool,
    reads: publicReads,
    log: app.log,
    discordCdnUrl: config.discord.cdnUrl,
    index: config.catalogueIndex,
    dataDir: config.dataDir,
    listCacheBytes: config.listCacheBytes,
    writesSnapshot: isFirst,
    onOwnChange: peers?.publishChanges,
  })
  // Responses and pages of the version before are stale.
  const siteSettings = openSiteSettings(app, { db, config, onChange: () => catalogue.invalidateFromPeer([]) })
  const sessions = new Sessions(db, app.log)
  const cookie = new BrowserCookie({ isHttps })
  const tokens = new Tokens(db, app.log)
  const limits = config.rateLimit
    ? registerRateLimits(app, { pool, perAddress: PER_ADDRESS, perMember: PER_MEMBER, perToken: PER_TOKEN, kindOf })
    : undefined
  const securityLog = new SecurityLog(app.log)
  logDenials(app, securityLog)
  // After the limit of the address, so that guessing tokens is limited.
  authenticateTokens(app, { tokens, securityLog, onToken: limits?.onToken })
  const backups = { db, pool: directPool, log: app.log, config }
  return {
    app,
    db,
    jobs: new JobQueue({ pool, directPool, log: app.log, runsJobs, ...(tracing && { runJob: tracing.runJob }) }),
    sandboxes: options.sandboxes ?? openSandboxes(),
    fastPath,
    directPool,
    publicReads,
    media,
    sweep: new MediaSweep(db, media.store, app.log),
    seal: createPrizeSeal(config.secretKey, config.retiredSecretKeys),
    catalogue,
    visits: new VisitCounter(db, app.log),
    ...siteSettings,
    sessions,
    cookie,
    tokens,
    securityLog,
    dailyDump: new DailyDump({
      pool: directPool,
      log: app.log,
      folder: dumpsFolder(config),
      days: config.dumpKeepDays,
      site: () => ({ name: siteSettings.branding.name, url: publicUrl }),
    }),
    scheduledBackup: new ScheduledBackup({ ...backups, findBackup: () => siteSettings.setup.backup }),
    baseBackup: new ScheduledBaseBackup(backups),
    guards: createGuards({
      findCaller: (token, request) => sessions.findCaller(token, cookie.read(request)),
      onMember: async ({ id, personId }, request) => {
        securityLog.identify(request, id)
        await limits?.onPerson(personId, request)
      },
    }),
    readLimit: limits?.findMemoryLimit('read'),
    countMember: limits && (async (memberId, request) => limits.onPerson(await findPersonId(db, memberId), request)),
  }
}

/** Keeps a client from reading its own write from a replica that does not have it yet. */
function recordWrites(app: App, reads: Reads): void {
  app.addHook('onSend', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') reads.recordChange()
  })
}

export const dumpsFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'dumps')
