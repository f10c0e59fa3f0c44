/** Seeded random numbers, the same on every machine (mulberry32, Tommy Ettinger, public domain). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer from `from` to `to`, inclusive. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.between(0, values.length - 1)] ?? values[0]
  }

  chance(share: number): boolean {
    return this.next() < share
  }
}

/** Zipf distribution: rank n is about 1/n as frequent as rank 1, as for words, tags and authors. */
export class Zipf {
  readonly #sums: Float64Array

  constructor(count: number, exponent = 1) {
    this.#sums = new Float64Array(count)
    let sum = 0
    for (let rank = 0; rank < count; rank++) {
      sum += 1 / (rank + 1) ** exponent
      this.#sums[rank] = sum
    }
  }

  /** A rank from 0. */
  pick(random: Random): number {
    const sums = this.#sums
    const target = random.next() * (sums.at(-1) ?? 0)
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) <= target) low = middle + 1
      else high = middle
    }
    return low
  }
}
