import type { Database } from '#server/db/database.ts'
import { ByteCache, type Sized } from '#server/http/byte-cache.ts'
import { toCard } from './card.ts'
import { findCardRows } from './card-rows.ts'

interface CachedCard extends Sized {
  json: string
}

const CARD_CACHE_BYTES = 64 * 1024 * 1024
const CARD_MAX_AGE_MS = 10 * 60 * 1000

/** Cards as JSON text by id, from a bounded cache that the change feed clears. */
export class Cards {
  readonly #db: Database
  readonly #discordCdnUrl: string
  readonly #cache = new ByteCache<CachedCard>(CARD_CACHE_BYTES)
  /** Raised whenever a card is forgotten: what was being read meanwhile is not kept. */
  #forgotten = 0

  constructor(db: Database, discordCdnUrl: string) {
    this.#db = db
    this.#discordCdnUrl = discordCdnUrl
  }

  forget(ids: Iterable<number>): void {
    this.#forgotten++
    for (const id of ids) this.#cache.delete(String(id))
  }

  forgetAll(): void {
    this.#forgotten++
    this.#cache.clear()
  }

  /** The cards of these scripts in this order, as a JSON array. A script that vanished meanwhile is left out. */
  async jsonOf(ids: readonly number[]): Promise<string> {
    const found = new Map<number, string>()
    const missing: number[] = []
    for (const id of ids) {
      const cached = this.#cache.get(String(id), 0)
      if (cached) found.set(id, cached.json)
      else missing.push(id)
    }
    if (missing.length > 0) await this.#load(missing, found)
    return `[${ids.flatMap((id) => found.get(id) ?? []).join(',')}]`
  }

  async #load(ids: number[], found: Map<number, string>): Promise<void> {
    const before = this.#forgotten
    for (const row of await findCardRows(this.#db, ids)) {
      const json = JSON.stringify(toCard(row, this.#discordCdnUrl))
      found.set(row.id, json)
      if (before === this.#forgotten) {
        this.#cache.set(String(row.id), { json, bytes: json.length * 2 }, 0, CARD_MAX_AGE_MS)
      }
    }
  }
}
