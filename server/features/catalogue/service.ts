import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type {
  Card,
  Game,
  RelatedScript,
  RelatedScripts,
  ScriptList,
  SearchSuggestions,
  TagCount,
} from '#contract/catalogue.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Reads } from '#server/platform/db/reads.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import { type CacheSize, isUnavailable, MAX_STALE_MS, ResponseCache } from '#server/platform/http/response-cache.ts'
import { Cards, serializeList } from './cards.ts'
import { FeedFollower } from './feed.ts'
import { IndexSnapshots } from './index-snapshots.ts'
import { findGameName, findGames, gameNotFound, type NamedGame } from './games.ts'
import { findByCursor } from './list-by-cursor.ts'
import { MemoryCatalogue } from './memory-catalogue.ts'
import {
  type Catalogue,
  type CatalogueFilter,
  type CatalogueQuery,
  type CatalogueResult,
  type Completion,
  type CompletionQuery,
  filterKey,
  queryKey,
} from './query.ts'
import { findScripts, sqlCatalogue } from './sql-catalogue.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const LIST_MAX_AGE_MS = 60_000
const MAX_TAGS = 200
/** Id in the change feed for changes that belong to no script. */
const NO_SCRIPT = 0

interface CatalogueOptions {
  db: Database
  pool: pg.Pool
  /** Serves cards and SQL lists; may be a second behind. */
  reads: Reads
  log: FastifyBaseLogger
  index: 'memory' | 'database'
  dataDir: string
  /** Size of the response cache; 0 turns it off. */
  listCacheBytes: number
  /** Whether this process writes index snapshots; true by default. One process per folder is enough. */
  writesSnapshot?: boolean
  onOwnChange?: ((scriptIds: readonly number[]) => void) | undefined
}

/** JSON of a list after its scripts. */
function writeTail(pagination: object, suggestion: string[] | undefined): string {
  const suffix = suggestion ? `,"suggestion":${JSON.stringify(suggestion.join(' '))}` : ''
  return `],"pagination":${JSON.stringify(pagination)}${suffix}}`
}

function tailOf({ page, limit }: CatalogueQuery, { total }: CatalogueResult, suggestion?: string[]): string {
  return writeTail({ page, limit, total, pages: Math.ceil(total / limit) }, suggestion)
}

/** Caches responses as bytes until `invalidate` or the change feed reports a changed script. */
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
    const { db, pool, reads, log, index, dataDir, listCacheBytes } = options
    this.#db = db
    this.#reads = reads
    this.#onOwnChange = options.onOwnChange
    this.#lists = new ResponseCache(listCacheBytes, MAX_STALE_MS, LIST_MAX_AGE_MS)
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
        onApplied: (ids) => this.#invalidateCards(ids),
      })
    }
    this.#catalogue = this.#memory ?? fallback
    this.#cards = new Cards(reads.db)
    this.#follower = new FeedFollower(db, log, {
      changed: (ids) => this.#follow(ids),
      lost: () => this.invalidateAll(),
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

  /** Incremented by every change that this process knows of. Anything rendered for a lower version is stale. */
  get version(): number {
    return this.#version
  }

  get isInMemory(): boolean {
    return this.#memory?.isReady ?? false
  }

  get indexSize(): number {
    return this.#memory?.size ?? 0
  }

  get cache(): CacheSize {
    return this.#lists.size
  }

  /** Called at commit. Id 0 means a profile or a giveaway, which pages show but the index doesn't contain. */
  invalidate(changedIds: readonly number[]): void {
    const scriptIds = changedIds.filter((id) => id !== NO_SCRIPT)
    this.#invalidateCards(scriptIds)
    if (scriptIds.length > 0) this.#memory?.enqueueOwn(scriptIds)
    this.#onOwnChange?.(changedIds)
  }

  /** Applies changes of a peer worker before the feed delivers them. */
  invalidateFromPeer(changedIds: readonly number[]): void {
    const scriptIds = changedIds.filter((id) => id !== NO_SCRIPT)
    if (scriptIds.length === 0) this.#invalidateCards([])
    else this.#follow(scriptIds)
  }

  #follow(scriptIds: readonly number[]): void {
    this.#reads.recordChange()
    this.#memory?.enqueue(scriptIds)
    // The in-memory index calls onApplied once it has these changes; until then, responses stay as they are.
    if (!this.isInMemory) this.#invalidateCards(scriptIds)
  }

  #invalidateCards(scriptIds: readonly number[]): void {
    this.#reads.recordChange()
    this.#version++
    this.#cards.invalidate(scriptIds)
  }

  /** Clears all caches and rebuilds the index. Needed when the feed has missed changes, and after bulk changes. */
  invalidateAll(): void {
    this.#reads.recordChange()
    this.#version++
    this.#cards.invalidateAll()
    this.#memory?.start()
  }

  /** One page of scripts as a `ScriptList`; undefined if it can't be answered synchronously. */
  listNow(query: CatalogueQuery, key = queryKey(query)): CachedResponse | undefined {
    const cached = this.#lists.get(key, this.#version)
    if (cached) return cached
    const result = this.#memory?.findNow(query)
    // An empty list may need a spelling suggestion.
    if (!result || result.total === 0) return undefined
    const cards = this.#cards.findCached(result.ids)
    if (!cards) return undefined
    const list = serializeList(cards, tailOf(query, result))
    this.#lists.set(key, list, this.#version)
    return list
  }

  list(query: CatalogueQuery, key = queryKey(query)): Promise<CachedResponse> {
    return this.#lists.getOrCreate(key, this.#version, async () => {
      return this.#respond(query, await this.#catalogue.find(query))
    })
  }

  /** One page of scripts as a `CursorScriptList`. `withHidden` is for the author and admins only, and not cached. */
  listByCursor(
    query: CatalogueQuery,
    cursor: string | undefined,
    { withHidden }: { withHidden: boolean },
  ): Promise<CachedResponse> {
    const create = async () => {
      const page = withHidden
        ? await findByCursor((each) => findScripts(this.#db, each, { withHidden }), query, cursor)
        : await findByCursor((each) => this.#catalogue.find(each), query, cursor)
      const { total, nextCursor } = page
      const pagination = { limit: query.limit, total, next_cursor: nextCursor }
      const tail = writeTail(pagination, await this.#findSuggestion(query, page))
      return serializeList(await this.#cards.find(page.ids), tail)
    }
    return withHidden ? create() : this.#lists.getOrCreate(`${queryKey(query)} ${cursor ?? ''}|`, this.#version, create)
  }

  async cards(query: CatalogueQuery): Promise<Card[]> {
    const list = this.listNow(query) ?? (await this.list(query))
    return (JSON.parse(list.body.toString()) as ScriptList).scripts
  }

  /** Like `list`, including private scripts and those of banned members. Only for their author and admins; not cached. */
  async listWithHidden(query: CatalogueQuery): Promise<CachedResponse> {
    return this.#respond(query, await findScripts(this.#db, query, { withHidden: true }))
  }

  async #respond(query: CatalogueQuery, result: CatalogueResult): Promise<CachedResponse> {
    const suggestion = await this.#findSuggestion(query, result)
    return serializeList(await this.#cards.find(result.ids), tailOf(query, result, suggestion))
  }

  async #findSuggestion(query: CatalogueQuery, { total }: CatalogueResult): Promise<string[] | undefined> {
    return total === 0 && query.words.length > 0 ? this.#catalogue.suggest(query) : undefined
  }

  /** Number of results for each additional filter, as `Facets`. */
  facets(filter: CatalogueFilter): Promise<CachedResponse> {
    return this.#lists.getOrCreate(`facets ${filterKey(filter)}`, this.#version, async () => {
      return new CachedResponse(JSON.stringify(await this.#catalogue.facets(filter)), JSON_TYPE)
    })
  }

  /** Completions of a partial search, as `SearchSuggestions`. */
  complete(query: CompletionQuery): Promise<CachedResponse> {
    return this.#lists.getOrCreate(`complete ${JSON.stringify(query)}`, this.#version, async () => {
      const [completion, games] = await Promise.all([this.#catalogue.complete(query), this.#completeGames(query.words)])
      const ids = new Set([...completion.titles, ...completion.byAuthors])
      const cards = await this.#findCards([...ids])
      return new CachedResponse(JSON.stringify(toSuggestions(cards, completion, games)), JSON_TYPE)
    })
  }

  async #completeGames(words: string[]): Promise<SearchSuggestions['games']> {
    // Names are in the database only; titles and tags are completed without it.
    const named = await findGames(this.#reads.db, words).catch((error: Error) => {
      if (isUnavailable(error)) return []
      throw error
    })
    const games = await this.#countGames(named)
    return games
      .filter((game) => game.script_count > 0)
      .toSorted((a, b) => b.script_count - a.script_count || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_COMPLETED_GAMES)
  }

  async #countGames<T extends Pick<NamedGame, 'game_id'>>(
    games: readonly T[],
  ): Promise<(T & Pick<Game, 'script_count'>)[]> {
    const counts = await this.#catalogue.countGames(games.map(({ game_id }) => game_id))
    return games.map((game, i) => ({ ...game, script_count: counts[i] ?? 0 }))
  }

  /** A game with public scripts. Throws AppError `game_not_found`. */
  game(gameId: string): Promise<CachedResponse> {
    return this.#lists.getOrCreate(`game ${gameId}`, this.#version, async () => {
      const name = await findGameName(this.#reads.db, gameId)
      const [game] = await this.#countGames([{ game_id: gameId, name }])
      if (!game || game.script_count === 0) throw gameNotFound()
      return new CachedResponse(JSON.stringify({ game }), JSON_TYPE)
    })
  }

  /** Scripts similar to a public script and more by its author, as `RelatedScripts`. */
  related(scriptId: number): Promise<CachedResponse> {
    return this.#lists.getOrCreate(`related ${scriptId}`, this.#version, async () => {
      return new CachedResponse(JSON.stringify(await this.#findRelated(scriptId)), JSON_TYPE)
    })
  }

  async #findRelated(scriptId: number): Promise<RelatedScripts> {
    const [script] = await this.#findCards([scriptId])
    if (!script?.is_public || script.is_unlisted) return { similar: [], by_author: [], by_author_total: 0 }
    const { tags, author_id } = script
    const [similar, byAuthor] = await Promise.all([
      this.#catalogue.related({ tags: tags.map(({ name }) => name), author: author_id, limit: MAX_SIMILAR }),
      this.#catalogue.find(byDownloads(author_id)),
    ])
    const others = byAuthor.ids.filter((id) => id !== scriptId).slice(0, MAX_BY_AUTHOR)
    return {
      similar: (await this.#findCards(similar)).map(toRelated),
      by_author: (await this.#findCards(others)).map(toRelated),
      by_author_total: Math.max(byAuthor.total - 1, 0),
    }
  }

  async #findCards(ids: readonly number[]): Promise<Card[]> {
    return (await this.#cards.find(ids)).map(({ json }) => JSON.parse(json.toString()) as Card)
  }

  findTags(max: number): Promise<TagCount[]> {
    return this.#catalogue.tags(max)
  }

  tags(): Promise<CachedResponse> {
    return this.#lists.getOrCreate('tags', this.#version, async () => {
      return new CachedResponse(JSON.stringify({ tags: await this.#catalogue.tags(MAX_TAGS) }), JSON_TYPE)
    })
  }
}

const MAX_SIMILAR = 6
const MAX_BY_AUTHOR = 3

const byDownloads = (authorId: number): CatalogueQuery => ({
  words: [],
  tags: [],
  flags: [],
  authorId,
  gameId: undefined,
  minRating: 0,
  minViews: 0,
  uses: [],
  lacks: [],
  hosts: [],
  sort: 'download_count',
  order: 'desc',
  page: 1,
  // One more, because the script itself may be among them.
  limit: MAX_BY_AUTHOR + 1,
})

function toRelated(card: Card): RelatedScript {
  const { id, slug, title, image_card, author_name, author_slug, rating_average, rating_count, download_count } = card
  const { warning } = card
  return {
    id,
    slug,
    title,
    image_card,
    author_name,
    author_slug,
    rating_average,
    rating_count,
    download_count,
    warning,
  }
}

const AUTHORS = 5
const MAX_COMPLETED_GAMES = 3

/** Distinct titles and authors of a completion. Scripts that were deleted since are left out. */
function toSuggestions(
  cards: Card[],
  { titles, byAuthors, tags }: Completion,
  games: SearchSuggestions['games'],
): SearchSuggestions {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const find = (ids: number[]) => ids.flatMap((id) => byId.get(id) ?? [])
  const authors = new Map<number, SearchSuggestions['authors'][number]>()
  for (const { author_id: id, author_name: name, author_slug: slug, author_avatar: avatar } of find(byAuthors)) {
    authors.set(id, { id, name, slug, avatar })
  }
  return {
    titles: find(titles).map(({ id, title, slug, image_card, author_name, warning }) => ({
      id,
      title,
      slug,
      image_card,
      author_name,
      warning,
    })),
    tags,
    games,
    authors: [...authors.values()].slice(0, AUTHORS),
  }
}
