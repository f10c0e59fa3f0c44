const FIRST_BYTES = 4096
/** From this size on, the announced length is trusted. */
const TRUSTED_BYTES = 1024 * 1024

/** Collects chunks in one buffer: a list would hold their overhead, and a body may arrive one byte at a time. */
export class GrowingBuffer {
  readonly #announced: number
  #buffer = Buffer.allocUnsafe(0)
  length = 0

  /** `announced` is the length that the client states; it only saves copies. */
  constructor(announced = 0) {
    this.#announced = announced
  }

  append(chunk: Buffer): void {
    const length = this.length + chunk.length
    if (length > this.#buffer.length) this.#grow(length)
    chunk.copy(this.#buffer, this.length)
    this.length = length
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length)
  }

  #grow(length: number): void {
    const announced = length > TRUSTED_BYTES ? this.#announced : 0
    const larger = Buffer.allocUnsafe(Math.max(FIRST_BYTES, length, announced || 2 * this.#buffer.length))
    this.#buffer.copy(larger, 0, 0, this.length)
    this.#buffer = larger
  }
}
