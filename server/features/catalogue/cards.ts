import type { Database } from '#server/db/database.ts'
import { toCard } from './card.ts'
import { CardCache, finishCard, type FinishedCard } from './card-cache.ts'
import { findCardRows } from './card-rows.ts'

const CARD_CACHE_BYTES = 64 * 1024 * 1024
const CARD_MAX_AGE_MS = 10 * 60 * 1000

/** Cards as finished JSON by id, from a bounded cache that the change feed clears. */
export class Cards {
  readonly #db: Database
  readonly #discordCdnUrl: string
  readonly #cache = new CardCache(CARD_CACHE_BYTES, CARD_MAX_AGE_MS)
  /** Raised whenever a card is forgotten: what was being read meanwhile is not kept. */
  #forgotten = 0

  constructor(db: Database, discordCdnUrl: string) {
    this.#db = db
    this.#discordCdnUrl = discordCdnUrl
  }

  forget(ids: Iterable<number>): void {
    this.#forgotten++
    for (const id of ids) this.#cache.delete(id)
  }

  forgetAll(): void {
    this.#forgotten++
    this.#cache.clear()
  }

  /** The cards of these scripts in this order, if all of them are in memory. */
  findKept(ids: readonly number[]): FinishedCard[] | undefined {
    const now = Date.now()
    const found: FinishedCard[] = []
    for (const id of ids) {
      const card = this.#cache.get(id, now)
      if (!card) return undefined
      found.push(card)
    }
    return found
  }

  /** The cards of these scripts in this order. A script that vanished meanwhile is left out. */
  async find(ids: readonly number[]): Promise<FinishedCard[]> {
    const now = Date.now()
    const known = ids.map((id) => this.#cache.get(id, now))
    const missing = ids.filter((_id, at) => known[at] === undefined)
    const loaded = missing.length > 0 ? await this.#load(missing) : undefined
    return ids.flatMap((id, at) => known[at] ?? loaded?.get(id) ?? [])
  }

  async #load(ids: number[]): Promise<Map<number, FinishedCard>> {
    const before = this.#forgotten
    const found = new Map<number, FinishedCard>()
    for (const row of await findCardRows(this.#db, ids)) {
      const card = finishCard(JSON.stringify(toCard(row, this.#discordCdnUrl)))
      found.set(row.id, card)
      if (before === this.#forgotten) this.#cache.set(row.id, card, Date.now())
    }
    return found
  }
}
