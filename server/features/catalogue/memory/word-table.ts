const NEVER = 0
/** A quarter of the slots are in use at most: most words are found in the first one looked at. */
const SLOTS_PER_WORD = 4
const FIRST_SLOTS = 1 << 12

const decoder = new TextDecoder()

/** Numbers words by their bytes, from 0 on in the order in which they come, while an index is made. */
export class WordTable {
  /** Two for each slot: the hash of its word, and the word's number and one. */
  #slots = new Uint32Array(FIRST_SLOTS * 2)
  #letters = new Uint8Array(1 << 16)
  /** By number, where a word's letters begin; the next one's end them. */
  #starts = new Uint32Array(1 << 10)
  #count = 0

  get size(): number {
    return this.#count
  }

  /** The number of a word that is a part of these bytes. */
  numberOf(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashOf(bytes, from, to)
    const mask = this.#slots.length / 2 - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot * 2 + 1] ?? NEVER) - 1
      if (number < 0) return this.#add(hash, slot, bytes.subarray(from, to))
      if (this.#slots[slot * 2] === hash && this.#is(number, bytes, from, to)) return number
    }
  }

  word(number: number): string {
    return decoder.decode(this.#letters.subarray(this.#starts[number], this.#starts[number + 1]))
  }

  #is(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[number] ?? 0
    if ((this.#starts[number + 1] ?? 0) - start !== to - from) return false
    for (let at = from; at < to; at++) if (this.#letters[start + at - from] !== bytes[at]) return false
    return true
  }

  #add(hash: number, slot: number, letters: Uint8Array): number {
    const number = this.#count++
    const start = this.#starts[number] ?? 0
    const end = start + letters.length
    while (end > this.#letters.length) this.#letters = withRoom(this.#letters, new Uint8Array(this.#letters.length * 2))
    this.#letters.set(letters, start)
    if (this.#count === this.#starts.length) this.#starts = withRoom(this.#starts, new Uint32Array(this.#count * 2))
    this.#starts[this.#count] = end
    this.#slots[slot * 2] = hash
    this.#slots[slot * 2 + 1] = this.#count
    if (this.#count * SLOTS_PER_WORD > this.#slots.length / 2) this.#grow()
    return number
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    const mask = this.#slots.length / 2 - 1
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === NEVER) continue
      let slot = (old[at] ?? 0) & mask
      while (this.#slots[slot * 2 + 1] !== NEVER) slot = (slot + 1) & mask
      this.#slots[slot * 2] = old[at] ?? 0
      this.#slots[slot * 2 + 1] = old[at + 1] ?? 0
    }
  }
}

function withRoom<T extends Uint8Array | Uint32Array>(old: T, grown: T): T {
  grown.set(old)
  return grown
}

/** FNV-1a (Fowler, Noll, Vo), its higher bits folded in. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
