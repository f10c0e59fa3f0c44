// The catalogue shows public scripts of members in good standing: any filters, words, tags, sort and page, exact totals.
// Lists are kept as finished bytes and thrown away when the change feed names a script.
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Card } from '#contract/catalogue.ts'
import type { Database } from '#server/db/database.ts'
import type { Reads } from '#server/db/reads.ts'
import { CachedResponse } from '#server/http/cached-response.ts'
import { ResponseCache } from '#server/http/response-cache.ts'
import type { Catalogue, Found } from './catalogue.ts'
import { Cards } from './cards.ts'
import type { CompletionQuery } from './completion.ts'
import { finishList } from './finish-list.ts'
import { FeedFollower } from './feed.ts'
import { IndexSnapshots } from './index-snapshots.ts'
import { MemoryCatalogue } from './memory-catalogue.ts'
import { type CatalogueFilter, type CatalogueQuery, filterKey, queryKey } from './query.ts'
import { findScripts, sqlCatalogue } from './sql-catalogue.ts'
import { toSuggestions } from './suggestions.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const LIST_MAX_AGE_MS = 60_000
const TAGS_SHOWN = 200
/** Id in the change feed of what belongs to no script. */
const NO_SCRIPT = 0

export interface CatalogueOptions {
  db: Database
  /** The same database. */
  pool: pg.Pool
  /** For cards, and for lists that SQL answers. */
  reads: Reads
  log: FastifyBaseLogger
  discordCdnUrl: string
  /** Where questions are answered. */
  index: 'memory' | 'database'
  /** For what makes the next start quick. */
  dataDir: string
  /** What finished lists may take; 0 keeps none. */
  listCacheBytes: number
  /** Whether this process keeps the index on the disk; so unless told. Of several in one folder one is enough. */
  writesSnapshot?: boolean
  /** Told of the scripts that this process wrote to. */
  onOwnChange?: ((scriptIds: readonly number[]) => void) | undefined
}

/** All of a `ScriptList` that comes after its scripts. */
function tailOf({ page, limit }: CatalogueQuery, { total }: Found, meant?: string[]): string {
  const pagination = JSON.stringify({ page, limit, total, pages: Math.ceil(total / limit) })
  const suggestion = meant ? `,"suggestion":${JSON.stringify(meant.join(' '))}` : ''
  return `],"pagination":${pagination}${suggestion}}`
}

export class CatalogueService {
  readonly #db: Database
  readonly #reads: Reads
  readonly #catalogue: Catalogue
  readonly #memory: MemoryCatalogue | undefined
  readonly #cards: Cards
  readonly #lists: ResponseCache
  readonly #follower: FeedFollower
  readonly #onOwnChange: CatalogueOptions['onOwnChange']
  #version = 0

  constructor(options: CatalogueOptions) {
    const { db, pool, reads, log, discordCdnUrl, index, dataDir, listCacheBytes } = options
    this.#db = db
    this.#reads = reads
    this.#onOwnChange = options.onOwnChange
    this.#lists = new ResponseCache(listCacheBytes, LIST_MAX_AGE_MS)
    const fallback = sqlCatalogue(reads.db)
    if (index === 'memory') {
      const snapshots = new IndexSnapshots({
        db,
        log,
        dataDir,
        isReadOnly: options.writesSnapshot === false,
        findCheckpoint: () => this.#follower.checkpoint,
      })
      this.#memory = new MemoryCatalogue({
        db,
        pool,
        dataDir,
        log,
        fallback,
        snapshots,
        onApplied: (ids) => this.#forget(ids),
      })
    }
    this.#catalogue = this.#memory ?? fallback
    this.#cards = new Cards(reads.db, discordCdnUrl)
    this.#follower = new FeedFollower(db, log, {
      changed: (ids) => this.#follow(ids),
      lost: () => this.startAfresh(),
    })
  }

  async start(): Promise<void> {
    await this.#follower.start()
    this.#memory?.start()
  }

  async close(): Promise<void> {
    await this.#follower.close()
    await this.#memory?.close()
  }

  /** Rises with every change that this process knows of; what was made for an older version is stale. */
  get version(): number {
    return this.#version
  }

  /** Whether the index in memory answers. */
  get isInMemory(): boolean {
    return this.#memory?.isReady ?? false
  }

  /**
   * Makes what a transaction of this process wrote visible in the next response. Called by the database at commit; 0
   * stands for a change of a profile or a giveaway, which pages show and the index does not hold.
   */
  invalidate(changedIds: readonly number[]): void {
    const scriptIds = changedIds.filter((id) => id !== NO_SCRIPT)
    this.#forget(scriptIds)
    if (scriptIds.length > 0) this.#memory?.enqueueOwn(scriptIds)
    this.#onOwnChange?.(changedIds)
  }

  /** Takes in what a peer worker wrote, before the feed delivers it. */
  invalidateFromPeer(changedIds: readonly number[]): void {
    const scriptIds = changedIds.filter((id) => id !== NO_SCRIPT)
    if (scriptIds.length === 0) this.#forget([])
    else this.#follow(scriptIds)
  }

  #follow(scriptIds: readonly number[]): void {
    this.#reads.recordChange()
    this.#memory?.enqueue(scriptIds)
    // The index in memory tells when it has these, and until then everything stays as it was.
    if (!this.isInMemory) this.#forget(scriptIds)
  }

  #forget(scriptIds: readonly number[]): void {
    this.#reads.recordChange()
    this.#version++
    this.#cards.invalidate(scriptIds)
  }

  /** Forgets everything made so far: after a change that is larger than the feed is meant for, or that it missed. */
  startAfresh(): void {
    this.#reads.recordChange()
    this.#version++
    this.#cards.invalidateAll()
    this.#memory?.start()
  }

  /** One page of scripts, as the bytes of a `ScriptList`; undefined when something has to be waited for. */
  listNow(query: CatalogueQuery, key = queryKey(query)): CachedResponse | undefined {
    const kept = this.#lists.get(key, this.#version)
    if (kept) return kept
    const found = this.#memory?.findNow(query)
    // Where nothing is found another word is looked for.
    if (!found || found.total === 0) return undefined
    const cards = this.#cards.findCached(found.ids)
    if (!cards) return undefined
    const list = finishList(cards, tailOf(query, found))
    this.#lists.set(key, list, this.#version)
    return list
  }

  /** The same, whatever it takes. */
  list(query: CatalogueQuery, key = queryKey(query)): Promise<CachedResponse> {
    return this.#lists.getOrCreate(key, this.#version, async () => {
      const found = await this.#catalogue.find(query)
      const isMissed = found.total === 0 && query.words.length > 0
      return this.#finish(query, found, isMissed ? await this.#catalogue.suggest(query) : undefined)
    })
  }

  /** The same with private scripts and those of the banned: for authors, of their own, and for admins. Never kept. */
  async listWithHidden(query: CatalogueQuery): Promise<CachedResponse> {
    return this.#finish(query, await findScripts(this.#db, query, { withHidden: true }))
  }

  async #finish(query: CatalogueQuery, found: Found, meant?: string[]): Promise<CachedResponse> {
    return finishList(await this.#cards.find(found.ids), tailOf(query, found, meant))
  }

  /** What each further filter would leave, as the bytes of `Facets`. */
  facets(filter: CatalogueFilter): Promise<CachedResponse> {
    return this.#lists.getOrCreate(`facets ${filterKey(filter)}`, this.#version, async () => {
      return new CachedResponse(JSON.stringify(await this.#catalogue.facets(filter)), JSON_TYPE)
    })
  }

  /** What somebody may be about to type, as the bytes of `SearchSuggestions`. */
  complete(query: CompletionQuery): Promise<CachedResponse> {
    return this.#lists.getOrCreate(`complete ${JSON.stringify(query)}`, this.#version, async () => {
      const completion = await this.#catalogue.complete(query)
      const ids = new Set([...completion.titles, ...completion.byAuthors])
      const finished = await this.#cards.find([...ids])
      const cards = finished.map(({ json }) => JSON.parse(json.toString()) as Card)
      return new CachedResponse(JSON.stringify(toSuggestions(cards, completion)), JSON_TYPE)
    })
  }

  tags(): Promise<CachedResponse> {
    return this.#lists.getOrCreate('tags', this.#version, async () => {
      return new CachedResponse(JSON.stringify({ tags: await this.#catalogue.tags(TAGS_SHOWN) }), JSON_TYPE)
    })
  }
}
