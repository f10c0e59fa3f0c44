import type { CatalogueDocument, CatalogueSchema } from '../schema.ts'

const START_BYTES = 1 << 16

/**
 * Encodes documents for another process. A document is: id, author, flags, number of tags, tags (32 bits each); the values in
 * the order of the columns (64 bits, NaN for a missing one); the title key, the labels and the words, each with its length
 * (16 bits), a word with its field before it (8 bits); before labels and words their number (16 bits). Little-endian.
 */
export class DocumentWriter {
  readonly #columns: readonly string[]
  #bytes = Buffer.allocUnsafe(START_BYTES)
  #length = 0

  constructor({ columns }: Pick<CatalogueSchema, 'columns'>) {
    this.#columns = Object.keys(columns)
  }

  get length(): number {
    return this.#length
  }

  /** The documents written so far. The writer is empty afterwards. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.#length)
    this.#bytes = Buffer.allocUnsafe(Math.max(START_BYTES, this.#length))
    this.#length = 0
    return bytes
  }

  /** Throws RangeError for a document that the format cannot represent. */
  write({ id, author, flags, tags, labels, words, titleKey, values }: CatalogueDocument): void {
    this.#reserve(16 + 4 * tags.length + 8 * this.#columns.length)
    for (const number of [id, author, flags, tags.length, ...tags]) {
      this.#length = this.#bytes.writeUInt32LE(number, this.#length)
    }
    for (const column of this.#columns) this.#length = this.#bytes.writeDoubleLE(values[column] ?? NaN, this.#length)
    this.#text(titleKey, 0, titleKey.length)
    this.#uint16(labels.length)
    for (const label of labels) {
      const text = Buffer.from(label)
      this.#text(text, 0, text.length)
    }
    const countOffset = this.#length
    let count = 0
    this.#uint16(0)
    words.forEach((bytes, from, to, field) => {
      this.#reserve(1)
      this.#bytes[this.#length++] = field
      this.#text(bytes, from, to)
      count++
    })
    this.#bytes.writeUInt16LE(count, countOffset)
  }

  #text(bytes: Uint8Array, from: number, to: number): void {
    this.#uint16(to - from)
    this.#reserve(to - from)
    const target = this.#bytes
    let length = this.#length
    // Faster than a copy for texts as short as words.
    for (let i = from; i < to; i++) target[length++] = bytes[i] ?? 0
    this.#length = length
  }

  #uint16(number: number): void {
    this.#reserve(2)
    this.#length = this.#bytes.writeUInt16LE(number, this.#length)
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(2 * (this.#length + bytes))
    this.#bytes.copy(grown)
    this.#bytes = grown
  }
}

/** Decodes documents. Their words and title keys are views of the bytes. */
export function* readDocuments(
  bytes: Buffer,
  { columns }: Pick<CatalogueSchema, 'columns'>,
): Generator<CatalogueDocument> {
  const names = Object.keys(columns)
  let offset = 0
  const uint32 = () => bytes.readUInt32LE((offset += 4) - 4)
  const text = () => {
    const from = offset + 2
    offset = from + bytes.readUInt16LE(offset)
    return bytes.subarray(from, offset)
  }
  while (offset < bytes.length) {
    const [id, author, flags] = [uint32(), uint32(), uint32()]
    const tags = Array.from({ length: uint32() }, uint32)
    const values: Record<string, number> = {}
    for (const name of names) {
      const value = bytes.readDoubleLE(offset)
      if (!Number.isNaN(value)) values[name] = value
      offset += 8
    }
    const titleKey = text()
    const labelCount = bytes.readUInt16LE(offset)
    offset += 2
    const labels = Array.from({ length: labelCount }, () => text().toString())
    const words = new EncodedWords(bytes, offset)
    offset = words.end
    yield { id, author, flags, tags, labels, words, titleKey, values }
  }
}

class EncodedWords {
  readonly #bytes: Buffer
  readonly #from: number
  readonly #count: number
  readonly end: number

  constructor(bytes: Buffer, from: number) {
    this.#bytes = bytes
    this.#count = bytes.readUInt16LE(from)
    this.#from = from + 2
    let end = this.#from
    for (let i = 0; i < this.#count; i++) end += 3 + bytes.readUInt16LE(end + 1)
    this.end = end
  }

  forEach(visit: (bytes: Uint8Array, from: number, to: number, field: number) => void): void {
    const bytes = this.#bytes
    for (let offset = this.#from, i = 0; i < this.#count; i++) {
      const from = offset + 3
      const to = from + bytes.readUInt16LE(offset + 1)
      visit(bytes, from, to, bytes[offset] ?? 0)
      offset = to
    }
  }
}
