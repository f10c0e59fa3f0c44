import { hash } from 'node:crypto'
import { type Kept, SecondChance } from '#server/http/second-chance.ts'

/** A card as it stands in lists. */
export interface FinishedCard {
  json: Buffer
  /** Equal for equal bytes, 66 bits: a list's own tag is made of these, so that its bytes need not be read again. */
  digest: string
}

interface KeptCard extends FinishedCard, Kept {
  expires: number
}

/** What a card takes beside its bytes, about. */
const OVERHEAD = 400

export function finishCard(json: string): FinishedCard {
  // In memory of their own: kept as part of a shared piece, each would keep all of that.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  bytes.write(json)
  return { json: bytes, digest: hash('sha1', bytes, 'base64url').slice(0, 11) }
}

/** Cards by id, bounded in bytes: reading the twenty of a list costs twenty lookups and moves nothing about. */
export class CardCache {
  readonly #cards: SecondChance<number, KeptCard>
  readonly #maxAgeMs: number

  constructor(limitBytes: number, maxAgeMs: number) {
    this.#cards = new SecondChance(limitBytes)
    this.#maxAgeMs = maxAgeMs
  }

  get bytes(): number {
    return this.#cards.bytes
  }

  get(id: number, now: number): FinishedCard | undefined {
    const card = this.#cards.get(id)
    return card !== undefined && card.expires > now ? card : undefined
  }

  set(id: number, { json, digest }: FinishedCard, now: number): void {
    const expires = now + this.#maxAgeMs
    this.#cards.set(id, { json, digest, expires, size: json.length + OVERHEAD, wasUsed: false })
  }

  delete(id: number): void {
    this.#cards.delete(id)
  }

  clear(): void {
    this.#cards.clear()
  }
}
