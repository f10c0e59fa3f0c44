// The catalogue shows public scripts of members in good standing: any filters, words, tags, sort and page, exact totals.
// Lists are kept as finished bytes and thrown away when the change feed names a script.
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { Finished } from '#server/http/finished.ts'
import { FinishedCache } from '#server/http/finished-cache.ts'
import type { Catalogue, Found } from './catalogue.ts'
import { Cards } from './cards.ts'
import { FeedFollower } from './follower.ts'
import { type CatalogueFilter, type CatalogueQuery, filterKey, queryKey } from './query.ts'
import { findScripts, sqlCatalogue } from './sql-catalogue.ts'
import { findPopularTags } from './tags.ts'

export { toCard } from './card.ts'
export { findCardRows } from './card-rows.ts'
export { renameAuthor } from './rename-author.ts'
export { searchDocument } from './search-document.ts'
export { prefixQuery } from './sql-filter.ts'
export { fold, foldTag, wordsOf } from './words.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const LIST_CACHE_BYTES = 64 * 1024 * 1024
const LIST_MAX_AGE_MS = 60_000

export class CatalogueService {
  readonly #db: Database
  readonly #catalogue: Catalogue
  readonly #cards: Cards
  readonly #lists = new FinishedCache(LIST_CACHE_BYTES, LIST_MAX_AGE_MS)
  readonly #follower: FeedFollower
  #version = 0

  constructor(db: Database, log: FastifyBaseLogger, discordCdnUrl: string) {
    this.#db = db
    this.#catalogue = sqlCatalogue(db)
    this.#cards = new Cards(db, discordCdnUrl)
    this.#follower = new FeedFollower(db, log, {
      changed: (ids) => this.noteChanged(ids),
      lost: () => this.#startAfresh(),
    })
  }

  start(): Promise<void> {
    return this.#follower.start()
  }

  close(): Promise<void> {
    return this.#follower.close()
  }

  /** Rises with every change that this process knows of; what was made for an older version is stale. */
  get version(): number {
    return this.#version
  }

  /** Makes these scripts' new state visible in this process at once; other processes learn it from the feed. */
  noteChanged(scriptIds: readonly number[]): void {
    this.#version++
    this.#cards.forget(scriptIds)
  }

  #startAfresh(): void {
    this.#version++
    this.#cards.forgetAll()
  }

  /** One page of scripts, as the bytes of a `ScriptList`. */
  list(query: CatalogueQuery): Promise<Finished> {
    return this.#lists.getOrMake(`list ${queryKey(query)}`, this.#version, async () =>
      this.#finish(query, await this.#catalogue.find(query)),
    )
  }

  /** The same with private scripts and those of the banned: for authors, of their own, and for admins. Never kept. */
  async listWithHidden(query: CatalogueQuery): Promise<Finished> {
    return this.#finish(query, await findScripts(this.#db, query, { withHidden: true }))
  }

  async #finish({ page, limit }: CatalogueQuery, { ids, total }: Found): Promise<Finished> {
    const pagination = JSON.stringify({ page, limit, total, pages: Math.ceil(total / limit) })
    return new Finished(`{"scripts":${await this.#cards.jsonOf(ids)},"pagination":${pagination}}`, JSON_TYPE)
  }

  /** What each further filter would leave, as the bytes of `Facets`. */
  facets(filter: CatalogueFilter): Promise<Finished> {
    return this.#lists.getOrMake(`facets ${filterKey(filter)}`, this.#version, async () => {
      return new Finished(JSON.stringify(await this.#catalogue.facets(filter)), JSON_TYPE)
    })
  }

  tags(): Promise<Finished> {
    return this.#lists.getOrMake('tags', this.#version, async () => {
      return new Finished(JSON.stringify({ tags: await findPopularTags(this.#db) }), JSON_TYPE)
    })
  }
}
