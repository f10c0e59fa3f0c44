import type pg from 'pg'
import { readScriptId } from '#contract/slug.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { openPool } from '#server/db/pool.ts'
import { openReads } from '#server/db/reads.ts'
import { type ScheduledJob, ScheduledJobs } from '#server/db/scheduled-jobs.ts'
import { registerAccounts } from '#server/features/accounts/routes.ts'
import { retainMute } from '#server/features/accounts/retained-mutes.ts'
import { deleteExpired } from '#server/features/accounts/sign-in.ts'
import { Sessions } from '#server/features/accounts/sessions.ts'
import { createSystemStatus } from '#server/features/admin/system.ts'
import { deleteOldNotifications } from '#server/features/notifications/inbox.ts'
import { InboxStreams } from '#server/features/notifications/streams.ts'
import { registerAdmin } from '#server/features/admin/routes.ts'
import { registerAudit } from '#server/features/audit/routes.ts'
import { registerCatalogue, shortenLists } from '#server/features/catalogue/routes.ts'
import { CatalogueService } from '#server/features/catalogue/service.ts'
import { renameAuthor } from '#server/features/catalogue/search-document.ts'
import { registerGiveaways } from '#server/features/giveaways/routes.ts'
import { createPrizeSeal, type Seal } from '#server/features/giveaways/seal.ts'
import { findOwnPrizes } from '#server/features/giveaways/queries.ts'
import { registerMedia } from '#server/features/media/routes.ts'
import type { MediaStore } from '#server/features/media/store.ts'
import { MediaSweep } from '#server/features/media/sweep.ts'
import { openMediaStore } from '#server/features/media/upload.ts'
import { registerMembers } from '#server/features/members/routes.ts'
import { registerNotifications } from '#server/features/notifications/routes.ts'
import { registerRatings } from '#server/features/ratings/routes.ts'
import { listComments } from '#server/features/ratings/queries.ts'
import { settleAllVotes } from '#server/features/ratings/summary.ts'
import { registerReports } from '#server/features/reports/routes.ts'
import { registerReputation } from '#server/features/reputation/routes.ts'
import { registerScripts } from '#server/features/scripts/routes.ts'
import { removeExpiredKeys } from '#server/features/scripts/publish.ts'
import { hashVisitor, VisitCounter } from '#server/features/scripts/visits.ts'
import { registerShowcases } from '#server/features/showcases/routes.ts'
import { registerSite } from '#server/features/site/routes.ts'
import { afterWrites } from '#server/http/after-writes.ts'
import type { ExchangedLimit } from '#server/http/exchanged-limit.ts'
import { createGuards, type Guards } from '#server/features/authorization/guards.ts'
import { networkOf } from '#server/http/network.ts'
import { registerRateLimits } from '#server/http/rate-limits.ts'
import { type App, createServer } from '#server/http/server.ts'
import { FastPath } from '#server/http/fast-path.ts'
import { kindOf, PER_ADDRESS, PER_MEMBER } from './rate-limits.ts'
import { registerWeb, type WebSource } from '#server/pages/web.ts'

export interface BuiltApp {
  app: App
  db: Database
  store: MediaStore
  seal: Seal
  sweep: MediaSweep
  catalogue: CatalogueService
  visits: VisitCounter
  guards: Guards
  /** How often one network (`networkOf`) may read; undefined where nothing is limited. */
  reads: ExchangedLimit | undefined
}

export interface AppOptions {
  config: Config
  pool: pg.Pool
  log: string | false
  web: WebSource
  /** Whether this process does what one on a machine is enough for; so unless told. */
  isFirst?: boolean
  /** The other processes on this machine that serve the site. */
  peers?: Peers
  /** When the site was started, in ISO 8601; this process's start unless told. */
  startedAt?: string
}

export interface Peers {
  /** Tells them that this process wrote to these scripts. */
  publishChanges: (scriptIds: readonly number[]) => void
  /** Takes who listens to the same of theirs. */
  onChanged: (listener: (scriptIds: readonly number[]) => void) => void
}

const HOUR_MS = 60 * 60_000
const EXPIRE_MS = 10 * 60_000
const SETTLE_MS = 20_000

/** The table of contents: everything the server does, in order. */
export async function buildApp(options: AppOptions): Promise<BuiltApp> {
  const { config, pool, log, web, isFirst = true, peers, startedAt } = options
  const { dataDir, databaseDirectUrl, databaseReplicaUrls, discord, publicUrl, secretKey, siteName } = config
  const discordCdnUrl = discord.cdnUrl
  const db = openDatabase(pool, (scriptIds) => catalogue.invalidate(scriptIds))
  const isHttps = publicUrl.startsWith('https:')
  const fastPath = new FastPath({ isHttps, trustProxy: config.trustProxy })
  const app = createServer({ log, trustProxy: config.trustProxy, isHttps, fastPath })
  const publicReads = openReads({ db, pool, replicaUrls: databaseReplicaUrls, log: app.log })
  if (databaseReplicaUrls.length > 0) afterWrites(app, () => publicReads.recordChange())
  const store = openMediaStore(config)
  const sweep = new MediaSweep(db, store, app.log)
  const seal = createPrizeSeal(secretKey)
  const catalogue = new CatalogueService({
    db,
    pool,
    reads: publicReads,
    log: app.log,
    discordCdnUrl,
    index: config.catalogueIndex,
    dataDir,
    listCacheBytes: config.listCacheBytes,
    writesSnapshot: isFirst,
    onOwnChange: peers?.publishChanges,
  })
  const visits = new VisitCounter(db, app.log)
  const sessions = new Sessions(db, app.log)
  const limits = config.rateLimit
    ? registerRateLimits(app, { pool, perAddress: PER_ADDRESS, perMember: PER_MEMBER, kindOf })
    : undefined
  const guards = createGuards({ findCaller: (token) => sessions.findCaller(token), onMember: limits?.onMember })
  // A pooler lends connections for a transaction each, and on those nothing is heard.
  const streams = new InboxStreams(databaseDirectUrl ? openPool(databaseDirectUrl) : pool, app.log)
  const jobDefinitions: ScheduledJob[] = [
    { name: 'remove expired sessions', everyMs: EXPIRE_MS, run: () => deleteExpired(db) },
    { name: 'forget old idempotency keys', everyMs: HOUR_MS, run: () => removeExpiredKeys(db) },
    { name: 'forget old notifications', everyMs: HOUR_MS, run: () => deleteOldNotifications(db) },
    { name: 'remove unused images', everyMs: HOUR_MS, run: () => sweep.run() },
    { name: 'settle the votes of the banned', everyMs: SETTLE_MS, run: () => settleAllVotes(db) },
  ]
  const jobs = new ScheduledJobs(app.log, isFirst ? jobDefinitions : [])
  const site = {
    name: siteName,
    public_url: publicUrl,
    has_chat: discord.inviteUrl !== undefined,
    discord_cdn_url: discordCdnUrl,
  }

  registerSite(app, { pool, site, inviteUrl: discord.inviteUrl })
  registerAccounts(app, { db, guards, config, onRenamed: renameAuthor })
  registerMedia(app, { db, store, guards })
  registerNotifications(app, { db, guards, streams, findPrizes: (id) => findOwnPrizes({ db, seal }, id) })
  registerMembers(app, {
    db,
    reads: publicReads.db,
    store,
    discordCdnUrl,
    guards,
    version: () => catalogue.version,
    renameAuthor,
    onErase: (trx, memberId) => retainMute(trx, secretKey, memberId),
    openPrize: (sealed) => seal.open(sealed),
  })
  registerCatalogue(app, catalogue, guards)
  shortenLists(fastPath, catalogue)
  registerRatings(app, { db, reads: publicReads.db, discordCdnUrl, guards })
  registerReputation(app, { db, guards })
  registerScripts(app, {
    db,
    reads: publicReads.db,
    discordCdnUrl,
    store,
    guards,
    secretKey,
    visits,
    listComments: (from, scriptId) => listComments({ db: from, discordCdnUrl }, scriptId),
  })
  registerGiveaways(app, { db, guards, discordCdnUrl, seal })
  registerShowcases(app, { db, guards, discordCdnUrl })
  registerReports(app, { db, guards })
  registerAudit(app, { db, guards })
  registerAdmin(app, {
    db,
    guards,
    discordCdnUrl,
    describeSystem: createSystemStatus({ db, pool, appEnv: config.appEnv, startedAt }),
  })
  await registerWeb(app, web, {
    publicUrl,
    discordCdnUrl,
    version: () => catalogue.version,
    fastPath,
    onPage: (address, visitor) => {
      const id = address.startsWith('/scripts/') ? readScriptId(address) : null
      if (id !== null) visits.count(id, 'view', hashVisitor(visitor, secretKey))
    },
  })

  await catalogue.start()
  peers?.onChanged((scriptIds) => catalogue.invalidateFromPeer(scriptIds))
  const reads = limits?.findExchanged('read')
  fastPath.enable({ log: app.log, admit: (ip) => reads?.admit(networkOf(ip)) ?? true })
  app.addHook('onClose', async () => {
    sweep.stop()
    await jobs.close()
    await visits.close()
    await sessions.close()
    await catalogue.close()
    await publicReads.close()
  })
  return { app, db, store, sweep, seal, catalogue, visits, guards, reads }
}
