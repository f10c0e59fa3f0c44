import { hash } from 'node:crypto'

/** A card as it stands in lists. */
export interface FinishedCard {
  json: Buffer
  /** Equal for equal bytes, 66 bits: a list's own tag is made of these, so that its bytes need not be read again. */
  digest: string
}

interface Kept extends FinishedCard {
  expires: number
  wasUsed: boolean
}

/** How many that were used may be passed over for one that comes in: nobody waits for a look at all of them. */
const CHANCES = 32
/** What a card takes beside its bytes, about. */
const OVERHEAD = 400

export function finishCard(json: string): FinishedCard {
  // In memory of their own: kept as part of a shared piece, each would keep all of that.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  bytes.write(json)
  return { json: bytes, digest: hash('sha1', bytes, 'base64url').slice(0, 11) }
}

/**
 * Cards by id, bounded in bytes. What has been used since it was last looked at gets a second chance: reading twenty cards
 * a list costs twenty lookups and moves nothing about.
 */
export class CardCache {
  readonly #cards = new Map<number, Kept>()
  readonly #limit: number
  readonly #maxAgeMs: number
  #bytes = 0

  constructor(limitBytes: number, maxAgeMs: number) {
    this.#limit = limitBytes
    this.#maxAgeMs = maxAgeMs
  }

  get bytes(): number {
    return this.#bytes
  }

  get(id: number, now: number): FinishedCard | undefined {
    const card = this.#cards.get(id)
    if (card === undefined || card.expires <= now) return undefined
    card.wasUsed = true
    return card
  }

  set(id: number, { json, digest }: FinishedCard, now: number): void {
    this.delete(id)
    this.#cards.set(id, { json, digest, expires: now + this.#maxAgeMs, wasUsed: false })
    this.#bytes += json.length + OVERHEAD
    let chances = CHANCES
    for (const [oldest, card] of this.#cards) {
      if (this.#bytes <= this.#limit) break
      this.#cards.delete(oldest)
      if (card.wasUsed && card.expires > now && chances-- > 0) {
        card.wasUsed = false
        this.#cards.set(oldest, card)
      } else this.#bytes -= card.json.length + OVERHEAD
    }
  }

  delete(id: number): void {
    const card = this.#cards.get(id)
    if (card === undefined) return
    this.#cards.delete(id)
    this.#bytes -= card.json.length + OVERHEAD
  }

  clear(): void {
    this.#cards.clear()
    this.#bytes = 0
  }
}
