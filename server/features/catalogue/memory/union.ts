import { type Bits, bitWords } from '@scriptyard/catalogue-index'

/**
 * Puts ids of several sets together, each once and in order. Which words of bits were touched is noted in a second row of
 * bits, so that it costs what goes in and next to nothing for the ids between, and all is off again after `list`.
 */
export class Union {
  #bits: Bits = new Uint32Array()
  #touched: Bits = new Uint32Array()

  /** Room for ids up to this one. */
  reserve(span: number): void {
    const words = bitWords(span + 1)
    if (words <= this.#bits.length) return
    this.#bits = new Uint32Array(words + (words >>> 3))
    this.#touched = new Uint32Array(bitWords(this.#bits.length))
  }

  add(ids: Uint32Array, from = 0, to = ids.length): void {
    const [bits, touched] = [this.#bits, this.#touched]
    for (let at = from; at < to; at++) {
      const id = ids[at] ?? 0
      const word = id >>> 5
      bits[word] = (bits[word] ?? 0) | (1 << (id & 31))
      touched[word >>> 5] = (touched[word >>> 5] ?? 0) | (1 << (word & 31))
    }
  }

  addBits(bits: Bits): void {
    const words = Math.min(bits.length, this.#bits.length)
    for (let word = 0; word < words; word++) {
      if (bits[word] === 0) continue
      this.#bits[word] = (this.#bits[word] ?? 0) | (bits[word] ?? 0)
      this.#touched[word >>> 5] = (this.#touched[word >>> 5] ?? 0) | (1 << (word & 31))
    }
  }

  /** Writes the ids into `into`, in order, and gives how many they are. */
  list(into: Uint32Array): number {
    const [bits, touched] = [this.#bits, this.#touched]
    let count = 0
    for (let at = 0; at < touched.length; at++) {
      for (let words = touched[at] ?? 0; words !== 0; words &= words - 1) {
        const word = (at << 5) + 31 - Math.clz32(words & -words)
        for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1) {
          into[count++] = (word << 5) + 31 - Math.clz32(rest & -rest)
        }
        bits[word] = 0
      }
      touched[at] = 0
    }
    return count
  }
}
