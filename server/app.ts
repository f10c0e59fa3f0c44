import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import { type CommitListener, type Database, openDatabase, type Transaction } from '#server/platform/db/database.ts'
import { type BoundedPool, openPool } from '#server/platform/db/pool.ts'
import { openReads, type Reads } from '#server/platform/db/reads.ts'
import { createSeal, type Seal } from '#server/platform/db/seal.ts'
import { SlowQueryLog } from '#server/platform/db/slow-queries.ts'
import { registerAccounts } from '#server/features/accounts/routes.ts'
import { BrowserCookie } from '#server/features/accounts/browser-cookie.ts'
import { loadPersonKey, type PersonKey } from '#server/features/accounts/person-key.ts'
import { findPersonId, releasePerson } from '#server/features/accounts/persons.ts'
import { Sessions } from '#server/features/accounts/sessions.ts'
import { createSystemStatus } from '#server/features/admin/system.ts'
import { findAudience } from '#server/features/notifications/announce.ts'
import { InboxStreams } from '#server/features/notifications/streams.ts'
import { registerAdmin } from '#server/features/admin/routes.ts'
import { registerAudit } from '#server/platform/audit/routes.ts'
import { openSandboxes, type Sandboxes } from '#server/features/behavior/analyze.ts'
import { recordCode } from '#server/features/behavior/record.ts'
import { registerBehavior } from '#server/features/behavior/routes.ts'
import { rejectWithdrawnCode } from '#server/features/copies/withdrawn.ts'
import { registerBlocks } from '#server/features/blocks/routes.ts'
import { registerCatalogue, registerListFastPath } from '#server/features/catalogue/routes.ts'
import { CatalogueService } from '#server/features/catalogue/service.ts'
import { renameAuthor } from '#server/features/catalogue/search-document.ts'
import { ScheduledBackup } from '#server/operations/backup/scheduled.ts'
import { DailyDump } from '#server/operations/dumps/daily.ts'
import { registerDumps } from '#server/operations/dumps/routes.ts'
import { registerEmail } from '#server/features/email/routes.ts'
import { registerFavorites } from '#server/features/favorites/routes.ts'
import { registerCollections } from '#server/features/collections/routes.ts'
import { registerEmbeds } from '#server/features/embeds/routes.ts'
import { registerFeeds } from '#server/features/feeds/routes.ts'
import { registerFollowing } from '#server/features/following/routes.ts'
import { withdrawEntries } from '#server/features/giveaways/enter.ts'
import { registerComments } from '#server/features/comments/routes.ts'
import { registerGiveaways } from '#server/features/giveaways/routes.ts'
import { createPrizeSeal, openWonPrize } from '#server/features/giveaways/seal.ts'
import { findOwnPrizes, listGiveaways } from '#server/features/giveaways/queries.ts'
import { registerMedia } from '#server/platform/media/routes.ts'
import { MediaSweep } from '#server/platform/media/sweep.ts'
import { type MediaLibrary, openMedia } from '#server/platform/media/upload.ts'
import { setDiscordCdnUrl } from '#server/features/members/avatar.ts'
import { registerMembers } from '#server/features/members/routes.ts'
import { registerNotifications } from '#server/features/notifications/routes.ts'
import { registerRatings } from '#server/features/ratings/routes.ts'
import { listNewestReviews } from '#server/features/ratings/queries.ts'
import { registerReports } from '#server/features/reports/routes.ts'
import { registerReputation } from '#server/features/reputation/routes.ts'
import { registerScripts } from '#server/features/scripts/routes.ts'
import { drawSitePreview } from '#server/features/scripts/social-image.ts'
import { getScriptId } from '#server/features/scripts/visibility.ts'
import { countScriptViews, VisitCounter } from '#server/features/scripts/visits.ts'
import { logDenials, SecurityLog } from '#server/platform/security/security-log.ts'
import { registerSitemap } from '#server/features/sitemap/routes.ts'
import { registerShowcases } from '#server/features/showcases/routes.ts'
import { isChatPath, registerSite } from '#server/features/site/routes.ts'
import { authenticateTokens, registerTokens } from '#server/features/tokens/routes.ts'
import { Tokens } from '#server/features/tokens/tokens.ts'
import { removeWorksNotes } from '#server/features/works/recount.ts'
import { createEmit } from '#server/features/webhooks/emit.ts'
import { registerWebhooks } from '#server/features/webhooks/routes.ts'
import { WebhookSender } from '#server/features/webhooks/send.ts'
import { openUrl } from '#server/features/webhooks/webhooks.ts'
import { readArchiver, ScheduledBaseBackup } from '#server/operations/wal-archive/scheduled.ts'
import { registerWorks } from '#server/features/works/routes.ts'
import { createGuards } from '#server/platform/authorization/guards.ts'
import { type MemoryLimit, networkOf, registerRateLimits } from '#server/platform/http/rate-limits.ts'
import type { App } from '#server/platform/http/app.ts'
import { createServer, securityHeaders, type ServerOptions } from '#server/platform/http/server.ts'
import { JobQueue } from '#server/platform/jobs/queue.ts'
import type { Metrics } from '#server/operations/metrics/metrics.ts'
import { registerV1 } from '#server/platform/http/v1.ts'
import { FastPath } from '#server/platform/http/fast-path.ts'
import { openSiteSettings, registerSiteSettings, type SiteSettings, startSiteSettings } from './site-settings.ts'
import { combineRecorders } from './recorders.ts'
import { type CountMember, registerRepositories } from './repositories.ts'
import type { Tracing } from '#server/operations/tracing/tracing.ts'
import { declareJobs, startScheduledJobs } from './background-work.ts'
import { DESCRIBED_LIMITS, kindOf, PER_ADDRESS, PER_MEMBER, PER_TOKEN } from './rate-limits.ts'
import { createAssetFinder } from '#server/platform/db/web-assets.ts'
import { registerWeb, type WebSource } from '#server/platform/pages/web.ts'

export interface BuiltApp {
  app: App
  db: Database
  jobs: JobQueue
  media: MediaLibrary
  seal: Seal
  sweep: MediaSweep
  catalogue: CatalogueService
  visits: VisitCounter
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

export async function buildApp(options: AppOptions): Promise<BuiltApp> {
  const { config, peers, metrics, tracing, pool, isFirst = true, runsJobs = isFirst } = options
  const services = openServices(options)
  const { app, catalogue, visits, fastPath, jobs, readLimit } = services
  await startSiteSettings(services)
  metrics?.observe(app)
  const archive = isFirst && config.walArchive && { readArchiver: () => readArchiver(services.db) }
  metrics?.watch({ pool, catalogue, ...(runsJobs && { countJobs: () => jobs.countJobs() }), ...archive })
  registerFeatures(options, services, await loadPersonKey(services.db, config))
  if (config.dumpKeepDays > 0) await registerDumps(app, { folder: dumpsFolder(config), publicUrl: config.publicUrl })
  await registerWeb(app, options.web, {
    publicUrl: config.publicUrl,
    discordCdnUrl: config.discord.cdnUrl,
    isPage: (url) => services.branding.chatUrl === undefined || !isChatPath(url),
    version: () => catalogue.version,
    fastPath,
    onPage: countScriptViews(visits, config),
    findAsset: createAssetFinder(services.db),
  })
  await catalogue.start()
  await jobs.start()
  // The jobs add to queues, which must exist first.
  const scheduledJobs = options.isFirst === false ? undefined : startScheduledJobs(options, services)
  peers?.onChanged((scriptIds) => catalogue.invalidateFromPeer(scriptIds))
  fastPath.enable({
    log: app.log,
    admit: (ip) => readLimit?.admit(networkOf(ip)) ?? true,
    record: combineRecorders(metrics, tracing),
  })
  app.addHook('onClose', async () => {
    services.sweep.stop()
    services.dailyDump.stop()
    services.scheduledBackup.stop()
    services.baseBackup.stop()
    await jobs.close()
    await scheduledJobs?.close()
    await services.sandboxes.close()
    await visits.close()
    await services.sessions.close()
    await services.tokens.close()
    await catalogue.close()
    await services.publicReads.close()
  })
  const { db, media, sweep, seal } = services
  return { app, db, jobs, media, sweep, seal, catalogue, visits, readLimit }
}

interface Services extends BuiltApp, SiteSettings {
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

function openServices(options: AppOptions): Services {
  const { config, pool, log, logTo, isFirst = true, runsJobs = isFirst, peers, tracing } = options
  const { publicUrl, trustProxy, databaseDirectUrl, databaseReplicaUrls } = config
  const db = openDatabase(pool, (scriptIds) => catalogue.invalidate(scriptIds))
  const isHttps = publicUrl.startsWith('https:')
  setDiscordCdnUrl(config.discord.cdnUrl)
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
  const guards = createGuards({
    findCaller: (token, request) => sessions.findCaller(token, cookie.read(request)),
    onMember: async ({ id, personId }, request) => {
      securityLog.identify(request, id)
      await limits?.onPerson(personId, request)
    },
  })
  app.decorate('guards', guards)
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

const dumpsFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'dumps')

function registerFeatures({ config, pool, startedAt }: AppOptions, services: Services, personKey: PersonKey): void {
  const { app, db, jobs, sandboxes, media, seal, catalogue, visits, securityLog } = services
  const { secretKey } = config
  const reads = services.publicReads.db
  const webhookSeal = createSeal(secretKey, 'webhooks', config.retiredSecretKeys)
  const emit = createEmit({ jobs, publicUrl: config.publicUrl })
  const recordNewCode = async (trx: Transaction, id: number) => {
    await rejectWithdrawnCode(trx, id, (content) => sandboxes.published.hash(content))
    await recordCode(jobs, trx, id)
  }
  const writing = { db, media, recordCode: recordNewCode, emit }
  const streams = new InboxStreams(services.directPool, app.log, (audience, id, memberIds) =>
    findAudience(db, audience, id, memberIds),
  )
  const { branding } = services
  const siteName = () => branding.name

  registerV1(app, { readSlug: getScriptId })
  registerSite(app, {
    db,
    pool,
    branding,
    config,
    drawPreview: drawSitePreview,
    limits: config.rateLimit ? DESCRIBED_LIMITS : [],
  })
  registerSiteSettings(app, { ...services, config })
  const { emailMember, onSignIn, jobs: email } = registerEmail(app, { db, jobs, config, siteName })
  registerAccounts(app, {
    db,
    config,
    personKey,
    cookie: services.cookie,
    securityLog,
    findApplication: () => services.setup.application,
    onRenamed: renameAuthor,
    onSignIn,
  })
  registerTokens(app, { db, securityLog })
  registerMedia(app, { db, media })
  registerNotifications(app, { db, streams, findPrizes: (id) => findOwnPrizes({ db, seal }, id) })
  registerMembers(app, {
    db,
    securityLog,
    reads,
    media,
    version: () => catalogue.version,
    renameAuthor,
    siteName,
    onErase: async (trx, memberId) => {
      await withdrawEntries(trx, memberId)
      await removeWorksNotes(trx, memberId)
      await releasePerson(trx, personKey, memberId)
    },
    openPrize: (sealed) => openWonPrize(seal, sealed),
    openWebhookUrl: (sealed) => openUrl(webhookSeal, sealed),
  })
  registerCatalogue(app, catalogue)
  registerListFastPath(services.fastPath, catalogue)
  registerRatings(app, { db, reads, emit })
  registerFavorites(app, { db, publicUrl: config.publicUrl })
  registerCollections(app, { db, reads })
  registerBlocks(app, { db })
  registerFollowing(app, { db })
  registerWorks(app, { db, reads })
  registerComments(app, { db, reads, emit })
  registerReputation(app, { db })
  registerScripts(app, {
    ...writing,
    reads,
    secretKey,
    siteName,
    ownHost: new URL(config.publicUrl).host,
    visits,
    listNewestReviews: (from, scriptId) => listNewestReviews({ db: from }, scriptId),
  })
  registerBehavior(app, { db, reads, sandbox: sandboxes.drafts, jobs })
  registerFeeds(app, services.fastPath, {
    reads,
    catalogue,
    listGiveaways: () => listGiveaways({ db: reads, seal }, { viewerId: 0, isAdmin: false, status: 'all' }),
    site: () => branding.site,
    publicUrl: config.publicUrl,
  })
  registerEmbeds(app, services.fastPath, {
    reads,
    siteName,
    publicUrl: config.publicUrl,
    version: () => catalogue.version,
  })
  registerSitemap(app, services.fastPath, { reads, catalogue, publicUrl: config.publicUrl })
  registerGiveaways(app, { db, seal, emit })
  const isLocal = config.appEnv === 'local'
  registerWebhooks(app, { db, jobs, seal: webhookSeal, allowsHttp: isLocal })
  const sender = new WebhookSender({
    userAgent: `Scriptyard-Webhooks/1.0 (+${config.publicUrl})`,
    allowsLoopback: isLocal,
  })
  app.addHook('onClose', () => sender.close())
  const analysis = { db, sandbox: sandboxes.published, emit }
  const delivery = { db, jobs, seal: webhookSeal, sender, siteName, log: app.log }
  const repositories = registerRepositories(app, { ...services, ...writing, config })
  declareJobs(jobs, { db, analysis, delivery, repositories, email })
  registerShowcases(app, { db })
  registerReports(app, { db, emailMember, emit })
  registerAudit(app, { db })
  registerAdmin(app, {
    db,
    jobs,
    securityLog,
    personKey,
    emailMember,
    describeSystem: createSystemStatus({ db, pool, config, findBackup: () => services.setup.backup, startedAt }),
  })
}
