import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { CatalogueSchema } from './schema.ts'

/** Part of the snapshot version. Increment it when the meaning of a section's bytes changes; a test detects that. */
const ENCODING = 2

const SLICE_MS = 2

/** Splits long work on the main thread into slices of 2 ms, between which the event loop runs. */
export class TimeSlicer {
  #start = performance.now()

  get isDue(): boolean {
    return performance.now() - this.#start > SLICE_MS
  }

  async pause(): Promise<void> {
    await setImmediate()
    this.#start = performance.now()
  }
}

export interface Section {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The content of an index. The version identifies the schema and the layout of the sections. */
export interface SnapshotData {
  readonly version: string
  readonly sections: readonly Section[]
}

type ElementType = 'uint8' | 'uint32' | 'int32' | 'float64'
type TypedArray = Uint8Array | Uint32Array | Int32Array | Float64Array

function elementType(array: TypedArray): ElementType {
  if (array instanceof Uint32Array) return 'uint32'
  if (array instanceof Int32Array) return 'int32'
  return array instanceof Float64Array ? 'float64' : 'uint8'
}

/** Hash of the schema and of the names and element types of the sections, in order. Equal for compatible snapshots. */
export function snapshotVersion(schema: CatalogueSchema, layout: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([ENCODING, schema, layout]))
    .digest('hex')
    .slice(0, 16)
}

const TEXTS_PER_SECTION = 4000

/** Collects the arrays of an index as sections: as copies, made in time slices, or the arrays themselves. */
export class SectionWriter {
  readonly sections: Section[] = []
  readonly #layout = new Set<string>()
  readonly #slicer = new TimeSlicer()
  readonly #mode: 'copies' | 'arrays'

  constructor(mode: 'copies' | 'arrays') {
    this.#mode = mode
  }

  get layout(): readonly string[] {
    return [...this.#layout]
  }

  async put(name: string, array: TypedArray): Promise<void> {
    this.#layout.add(`${name}: ${elementType(array)}`)
    const { buffer, byteOffset, byteLength } = this.#mode === 'copies' ? array.slice() : array
    this.sections.push({ name, bytes: new Uint8Array(buffer, byteOffset, byteLength) })
    if (this.#slicer.isDue) await this.#slicer.pause()
  }

  async putAll(name: string, type: ElementType, arrays: readonly TypedArray[]): Promise<void> {
    this.#layout.add(`${name}: ${type}`)
    for (const array of arrays) await this.put(name, array)
  }

  async putTexts(name: string, texts: readonly string[]): Promise<void> {
    for (let i = 0; i === 0 || i < texts.length; i += TEXTS_PER_SECTION) {
      await this.put(name, new TextEncoder().encode(JSON.stringify(texts.slice(i, i + TEXTS_PER_SECTION))))
    }
  }
}

/** Reads the sections of a snapshot as arrays that share their memory. */
export class SectionReader {
  readonly #sections = new Map<string, Uint8Array[]>()
  readonly slicer = new TimeSlicer()

  constructor(sections: readonly Section[]) {
    for (const { name, bytes } of sections) {
      const known = this.#sections.get(name)
      if (known) known.push(bytes)
      else this.#sections.set(name, [bytes])
    }
  }

  all(name: string): readonly Uint8Array[] {
    return this.#sections.get(name) ?? []
  }

  bytes(name: string): Uint8Array {
    const [bytes] = this.all(name)
    if (!bytes) throw new Error(`section "${name}" is missing`)
    return bytes
  }

  uint32(name: string): Uint32Array {
    return asUint32(this.bytes(name))
  }

  int32(name: string): Int32Array {
    const { buffer, byteOffset, byteLength } = this.bytes(name)
    return new Int32Array(buffer, byteOffset, byteLength / 4)
  }

  float64(name: string): Float64Array {
    const { buffer, byteOffset, byteLength } = this.bytes(name)
    return new Float64Array(buffer, byteOffset, byteLength / 8)
  }

  async texts(name: string): Promise<string[]> {
    const texts: string[] = []
    for (const bytes of this.all(name)) {
      texts.push(...(JSON.parse(new TextDecoder().decode(bytes)) as string[]))
      if (this.slicer.isDue) await this.slicer.pause()
    }
    return texts
  }
}

export function asUint32({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4)
}

// File format: a head of 32 bytes (magic, length of the contents, CRC-32 of everything after the head, length of the file),
// the contents as JSON, then the sections. Contents and sections start at multiples of 8 bytes.
const MAGIC = Buffer.from('CATALOGUE INDEX\0')
const HEAD_BYTES = 32
const [LENGTH_OFFSET, CHECKSUM_OFFSET, SIZE_OFFSET] = [16, 20, 24]
const CHUNK_BYTES = 1 << 22

interface Contents {
  version: string
  header: unknown
  sections: [name: string, bytes: number][]
}

const padded = (bytes: number) => Math.ceil(bytes / 8) * 8

/** Writes a snapshot to an empty file. `header` is any JSON value for the reader. */
export async function writeSnapshot(
  handle: FileHandle,
  { version, sections }: SnapshotData,
  header: unknown = null,
): Promise<void> {
  const contents: Contents = { version, header, sections: sections.map(({ name, bytes }) => [name, bytes.length]) }
  const text = Buffer.from(JSON.stringify(contents))
  let checksum = 0
  let offset = HEAD_BYTES
  for (const bytes of [text, ...sections.map((section) => section.bytes)]) {
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      const part = bytes.subarray(from, from + CHUNK_BYTES)
      checksum = crc32(part, checksum)
      await writeBytes(handle, part, offset + from)
    }
    offset += padded(bytes.length)
  }
  const head = Buffer.alloc(HEAD_BYTES)
  MAGIC.copy(head)
  head.writeUInt32LE(text.length, LENGTH_OFFSET)
  head.writeUInt32LE(checksum, CHECKSUM_OFFSET)
  head.writeDoubleLE(offset, SIZE_OFFSET)
  await writeBytes(handle, head, 0)
  await handle.truncate(offset)
}

/** A single write may store only a part of the bytes. */
async function writeBytes(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset, position + offset)
    if (bytesWritten === 0) throw new Error('the file cannot be written')
    offset += bytesWritten
  }
}

/** Reads what `writeSnapshot` wrote. Throws an Error that says why a file is not a snapshot or is damaged. */
export async function readSnapshot(handle: FileHandle): Promise<{ header: unknown; data: SnapshotData }> {
  const { size } = await handle.stat()
  const head = Buffer.alloc(HEAD_BYTES)
  await handle.read(head, 0, HEAD_BYTES, 0)
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('not a snapshot')
  if (head.readDoubleLE(SIZE_OFFSET) !== size) throw new Error('truncated')
  const textLength = head.readUInt32LE(LENGTH_OFFSET)
  if (textLength > size) throw new Error('checksum mismatch')
  const text = await readBytes(handle, HEAD_BYTES, textLength)
  let checksum = crc32(text)
  const { version, header, sections } = parseContents(text)
  const read: Section[] = []
  let offset = HEAD_BYTES + padded(textLength)
  for (const [name, length] of sections) {
    if (offset + length > size) throw new Error('checksum mismatch')
    // A buffer for each section: an array that grows later does not keep the others in memory.
    const bytes = await readBytes(handle, offset, length)
    checksum = await addChecksum(checksum, bytes)
    read.push({ name, bytes })
    offset += padded(length)
  }
  if (checksum !== head.readUInt32LE(CHECKSUM_OFFSET)) throw new Error('checksum mismatch')
  return { header, data: { version, sections: read } }
}

async function readBytes(handle: FileHandle, from: number, length: number): Promise<Uint8Array> {
  // Shared memory does not count as the engine's external memory, which would trigger garbage collections.
  const bytes = new Uint8Array(new SharedArrayBuffer(length))
  for (let offset = 0; offset < length;) {
    const { bytesRead } = await handle.read(bytes, offset, Math.min(CHUNK_BYTES, length - offset), from + offset)
    if (bytesRead === 0) throw new Error('truncated')
    offset += bytesRead
  }
  return bytes
}

function parseContents(text: Uint8Array): Contents {
  try {
    return JSON.parse(Buffer.from(text).toString()) as Contents
  } catch {
    throw new Error('checksum mismatch')
  }
}

async function addChecksum(checksum: number, bytes: Uint8Array): Promise<number> {
  let sum = checksum
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    sum = crc32(bytes.subarray(from, from + CHUNK_BYTES), sum)
    await setImmediate()
  }
  return sum
}
