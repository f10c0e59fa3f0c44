import { createSeal } from '#server/platform/db/seal.ts'
import { registerAccounts } from '#server/features/accounts/routes.ts'
import { loadPersonKey, type PersonKey } from '#server/features/accounts/person-key.ts'
import { releasePerson } from '#server/features/accounts/persons.ts'
import { createSystemStatus } from '#server/features/admin/system.ts'
import { findAudience } from '#server/features/notifications/announce.ts'
import { InboxStreams } from '#server/features/notifications/streams.ts'
import { decisionMutes } from '#server/features/admin/actions/sanctions.ts'
import { registerAdmin } from '#server/features/admin/routes.ts'
import { registerAudit } from '#server/platform/audit/routes.ts'
import { createVersionChecks } from '#server/features/releases/checks.ts'
import { reportIdenticalCode } from '#server/features/releases/identical.ts'
import { decideWaitingWith } from '#server/features/releases/release.ts'
import { reinstate } from '#server/features/releases/reinstate.ts'
import { registerReleases } from '#server/features/releases/routes.ts'
import { registerBehavior } from '#server/features/behavior/routes.ts'
import { registerBlocks } from '#server/features/blocks/routes.ts'
import { registerCatalogue, registerListFastPath } from '#server/features/catalogue/routes.ts'
import { renameAuthor } from '#server/features/catalogue/search-document.ts'
import { registerDumps } from '#server/operations/dumps/routes.ts'
import { EmailLinks } from '#server/features/email/links.ts'
import { registerEmail } from '#server/features/email/routes.ts'
import { registerFavorites } from '#server/features/favorites/routes.ts'
import { registerCollections } from '#server/features/collections/routes.ts'
import { registerEmbeds } from '#server/features/embeds/routes.ts'
import { registerFeeds } from '#server/features/feeds/routes.ts'
import { registerFollowing } from '#server/features/following/routes.ts'
import { withdrawEntries } from '#server/features/giveaways/enter.ts'
import { registerComments } from '#server/features/comments/routes.ts'
import { registerGiveaways } from '#server/features/giveaways/routes.ts'
import { openWonPrize } from '#server/features/giveaways/seal.ts'
import { findOwnPrizes, listGiveaways } from '#server/features/giveaways/queries.ts'
import { registerMedia } from '#server/platform/media/routes.ts'
import { registerMembers } from '#server/features/members/routes.ts'
import { registerNotifications } from '#server/features/notifications/routes.ts'
import { registerRatings } from '#server/features/ratings/routes.ts'
import { listNewestReviews } from '#server/features/ratings/queries.ts'
import { registerReports } from '#server/features/reports/routes.ts'
import { registerReputation } from '#server/features/reputation/routes.ts'
import { registerScripts } from '#server/features/scripts/routes.ts'
import { drawSitePreview } from '#server/features/scripts/social-image.ts'
import { getScriptId } from '#server/features/scripts/visibility.ts'
import { countScriptViews } from '#server/features/scripts/visits.ts'
import { registerSitemap } from '#server/features/sitemap/routes.ts'
import { registerShowcases } from '#server/features/showcases/routes.ts'
import { isChatPath, registerSite } from '#server/features/site/routes.ts'
import { registerTokens } from '#server/features/tokens/routes.ts'
import { removeWorksNotes } from '#server/features/works/recount.ts'
import { createEmit } from '#server/features/webhooks/emit.ts'
import { registerWebhooks } from '#server/features/webhooks/routes.ts'
import { WebhookSender } from '#server/features/webhooks/send.ts'
import { openUrl } from '#server/features/webhooks/webhooks.ts'
import { readArchiver } from '#server/operations/wal-archive/scheduled.ts'
import { registerWorks } from '#server/features/works/routes.ts'
import { networkOf } from '#server/platform/http/rate-limits.ts'
import { registerV1 } from '#server/platform/http/v1.ts'
import { registerSiteSettings, startSiteSettings } from './site-settings.ts'
import { combineRecorders } from './recorders.ts'
import { registerRepositories } from './repositories.ts'
import { declareJobs, startScheduledJobs } from './background-work.ts'
import { DESCRIBED_LIMITS } from './rate-limits.ts'
import { createAssetFinder } from '#server/platform/db/web-assets.ts'
import { registerWeb } from '#server/platform/pages/web.ts'
import { type AppOptions, type BuiltApp, dumpsFolder, openServices, type Services } from './services.ts'

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

function registerFeatures({ config, pool, startedAt }: AppOptions, services: Services, personKey: PersonKey): void {
  const { app, db, jobs, sandboxes, media, seal, catalogue, visits, securityLog } = services
  const { secretKey } = config
  const reads = services.publicReads.db
  const webhookSeal = createSeal(secretKey, 'webhooks', config.retiredSecretKeys)
  const emit = createEmit({ jobs, publicUrl: config.publicUrl })
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
  const links = new EmailLinks(config, config.publicUrl)
  const { emailMember, emailHold, onSignIn, jobs: email } = registerEmail(app, { db, jobs, config, siteName, links })
  const release = { db, jobs, emit, emailHold }
  const checks = createVersionChecks({ ...release, sandbox: sandboxes.published })
  const writing = { db, media, checks, emit }
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
  registerCatalogue(app, db, catalogue)
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
  registerReleases(app, {
    ...release,
    reads,
    links,
    siteName,
    emailMember,
    publicUrl: config.publicUrl,
    holdHours: config.holdHours,
  })
  registerGiveaways(app, { db, seal, emit })
  const isLocal = config.appEnv === 'local'
  registerWebhooks(app, { db, jobs, seal: webhookSeal, allowsHttp: isLocal })
  const sender = new WebhookSender({
    userAgent: `Scriptyard-Webhooks/1.0 (+${config.publicUrl})`,
    allowsLoopback: isLocal,
  })
  app.addHook('onClose', () => sender.close())
  const onCard = async (sha256: string) => {
    await decideWaitingWith(release, sha256)
    await reportIdenticalCode(db, sha256)
  }
  const analysis = { db, sandbox: sandboxes.published, emit, onCard }
  const delivery = { db, jobs, seal: webhookSeal, sender, siteName, log: app.log }
  const repositories = registerRepositories(app, { ...services, ...writing, config })
  declareJobs(jobs, { db, analysis, delivery, repositories, email })
  registerShowcases(app, { db })
  registerReports(app, {
    db,
    emailMember,
    emit,
    reinstate: (trx, caseId) => reinstate(release, trx, caseId),
    mutes: decisionMutes,
  })
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
