import { addToBits, allocateBits, bitWords, countBits, type IdSet, MutableIdSet, type OwnedBits } from './id-set.ts'
import type { CatalogueDocument, IndexTuning } from './schema.ts'

export interface Membership {
  isMember: (document: CatalogueDocument) => boolean
  /** Whether it depends on the values of a document and not only on its terms: words, tags, author and flags. */
  usesValues: boolean
}

interface CachedSet extends Membership {
  readonly set: MutableIdSet
  /** Bytes at the time of the last count. */
  size: number
  /** Whether it was read since the clock hand last passed it. */
  wasUsed: boolean
}

interface SetCacheLimits {
  maxSets: number
  maxBytes?: number
  minFullSets?: number
}

/** Maximum number of removed bit sets whose memory is reused for new ones. */
const MAX_SPARE = 16

/** Maximum number of used sets that one insertion skips, so that no insertion scans the whole cache. */
const MAX_CHANCES = 32

/**
 * Cache of sets that take time to compute (unions of postings, minimums), bounded in number and bytes and updated with
 * every document. Evicts by CLOCK (Tanenbaum, Modern Operating Systems, 3.4.5): reads move nothing, and a set read once
 * does not evict one read often. Reuses the memory of removed bit sets: V8 collects all garbage whenever some tens of
 * megabytes of arrays were allocated.
 */
export class SetCache {
  readonly #sets = new Map<string, CachedSet>()
  readonly #maxSets: number
  readonly #minFullSets: number
  #maxBytes: number
  #bytes = 0
  readonly #spare: OwnedBits[] = []
  /** Removed bits that the current query may still read. */
  readonly #removed: OwnedBits[] = []

  constructor({ maxSets, maxBytes = Infinity, minFullSets = 0 }: SetCacheLimits) {
    this.#maxSets = maxSets
    this.#maxBytes = maxBytes
    this.#minFullSets = minFullSets
  }

  get size(): number {
    return this.#sets.size
  }

  keys(): Iterable<string> {
    return this.#sets.keys()
  }

  /** A borrowed view, valid until the next change. */
  get(key: string): IdSet | undefined {
    const cached = this.#sets.get(key)
    if (!cached) return undefined
    cached.wasUsed = true
    return cached.set.ids
  }

  /** An empty bit set for ids from 0 to `maxId`, to be filled and added. */
  allocate(maxId: number): OwnedBits {
    const words = bitWords(maxId + 1)
    const spare = this.#spare.pop()
    return spare && spare.length >= words ? (spare.subarray(0, words).fill(0) as OwnedBits) : allocateBits(maxId)
  }

  /** Makes the memory of removed sets available. Sets that were borrowed before must not be used any more. */
  reclaim(): void {
    for (const bits of this.#removed) if (this.#spare.length < MAX_SPARE) this.#spare.push(bits)
    this.#removed.length = 0
  }

  /** Takes over `bits`, of which `count` are on, and returns them as a set, even when they are too large to be cached. */
  add(key: string, bits: OwnedBits, { isMember, usesValues }: Membership, count = countBits(bits)): IdSet {
    this.#maxBytes = Math.max(this.#maxBytes, bits.byteLength * this.#minFullSets)
    this.delete(key)
    const set = new MutableIdSet(bits, count)
    // The set has become a list.
    if (set.bits !== bits) this.#removed.push(bits)
    const size = set.bytes
    if (size <= this.#maxBytes) {
      this.#sets.set(key, { set, isMember, usesValues, size, wasUsed: false })
      this.#bytes += size
      this.#evict(key)
    }
    return set.ids
  }

  delete(key: string): void {
    const cached = this.#sets.get(key)
    if (cached) this.#remove(key, cached)
  }

  #remove(key: string, { set, size }: CachedSet): void {
    this.#sets.delete(key)
    this.#bytes -= size
    if (set.bits) this.#removed.push(set.bits)
  }

  /** Moves a document in or out of every set. `document` is undefined after its removal; `termsChanged` spares most sets. */
  update(id: number, document: CatalogueDocument | undefined, termsChanged: boolean): void {
    for (const cached of this.#sets.values()) {
      if (!termsChanged && !cached.usesValues) continue
      const { set } = cached
      const isMember = document !== undefined && cached.isMember(document)
      if (isMember === set.has(id)) continue
      if (isMember) {
        set.add(id)
        this.#bytes += set.bytes - cached.size
        cached.size = set.bytes
      } else set.delete(id)
    }
  }

  #evict(added: string): void {
    let chances = MAX_CHANCES
    for (const [key, cached] of this.#sets) {
      if (this.#bytes <= this.#maxBytes && this.#sets.size <= this.#maxSets) return
      if (key === added) continue
      if (cached.wasUsed && chances-- > 0) {
        cached.wasUsed = false
        this.#sets.delete(key)
        this.#sets.set(key, cached)
      } else this.#remove(key, cached)
    }
  }
}

type FilterCacheTuning = Pick<IndexTuning, 'maxCachedFilters' | 'maxCountedFilters' | 'cachedFilterShift'>

/**
 * Cache of the results of whole filters, which admits by frequency: a filter requested once costs one counter and evicts
 * none that is requested more often (after TinyLFU; Einziger, Friedman and Manes 2017).
 */
export class FilterCache {
  readonly #sets: SetCache
  readonly #tuning: FilterCacheTuning
  #requests = new Map<string, number>()

  constructor(tuning: FilterCacheTuning) {
    this.#tuning = tuning
    this.#sets = new SetCache({ maxSets: tuning.maxCachedFilters })
  }

  get(key: string): IdSet | undefined {
    const cached = this.#sets.get(key)
    if (cached) this.#count(key)
    return cached
  }

  /** Counts a request that `get` did not answer, and from the second one on stores a copy of its result. */
  offer(key: string, result: IdSet, maxId: number, membership: Membership): void {
    // A small result is computed again as fast as its bits are updated.
    if (result.count < maxId >>> this.#tuning.cachedFilterShift) return
    const requests = this.#count(key)
    if (requests < 2) return
    if (this.#sets.size === this.#tuning.maxCachedFilters) {
      const rarest = this.#findRarest()
      if (requests <= rarest.requests) return
      this.#sets.delete(rarest.key)
    }
    const bits = this.#sets.allocate(maxId)
    addToBits(bits, result)
    this.#sets.add(key, bits, membership, result.count)
  }

  reclaim(): void {
    this.#sets.reclaim()
  }

  update(id: number, document: CatalogueDocument | undefined, termsChanged: boolean): void {
    this.#sets.update(id, document, termsChanged)
  }

  #findRarest(): { key: string; requests: number } {
    let rarest = { key: '', requests: Infinity }
    for (const key of this.#sets.keys()) {
      const requests = this.#requests.get(key) ?? 0
      if (requests < rarest.requests) rarest = { key, requests }
    }
    return rarest
  }

  /** Counts a request. All counts are halved whenever there are too many counters, so that old requests lose weight. */
  #count(key: string): number {
    const requests = (this.#requests.get(key) ?? 0) + 1
    this.#requests.set(key, requests)
    if (this.#requests.size > this.#tuning.maxCountedFilters) {
      const halved = [...this.#requests].flatMap(([known, count]) => (count > 1 ? [[known, count >>> 1] as const] : []))
      this.#requests = new Map(halved)
    }
    return requests
  }
}
