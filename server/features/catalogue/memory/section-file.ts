import type { FileHandle } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { type Section, sharedBytes } from './sections.ts'

/** Raised whenever what the sections mean changes. */
const FORMAT = 5
const MAGIC = Buffer.from('SCRIPTYARD INDEX')
const HEAD_BYTES = 32
const PART = 1 << 22

interface Contents {
  format: number
  /** What the writer says of it. */
  about: unknown
  sections: [name: string, bytes: number][]
}

/** Each section begins where any number may. */
const padded = (bytes: number) => Math.ceil(bytes / 8) * 8

/** Writes the sections of an index and what is to be said of it into an empty file. */
export async function writeSections(handle: FileHandle, about: unknown, sections: readonly Section[]): Promise<void> {
  const listed = sections.map(({ name, bytes }): [string, number] => [name, bytes.length])
  const contents: Contents = { format: FORMAT, about, sections: listed }
  const text = Buffer.from(JSON.stringify(contents))
  let sum = 0
  let at = HEAD_BYTES
  for (const bytes of [text, ...sections.map((section) => section.bytes)]) {
    for (let from = 0; from < bytes.length; from += PART) {
      const part = bytes.subarray(from, from + PART)
      sum = crc32(part, sum)
      await handle.write(part, 0, part.length, at + from)
    }
    at += padded(bytes.length)
  }
  const first = Buffer.alloc(HEAD_BYTES)
  MAGIC.copy(first)
  first.writeUInt32LE(text.length, 16)
  first.writeUInt32LE(sum, 20)
  first.writeDoubleLE(at, 24)
  await handle.write(first, 0, HEAD_BYTES, 0)
  await handle.truncate(at)
}

/** Reads what `writeSections` wrote and checks its sum. Throws what is wrong with it. */
export async function readSections(handle: FileHandle): Promise<{ about: unknown; sections: readonly Section[] }> {
  const { size } = await handle.stat()
  const first = Buffer.alloc(HEAD_BYTES)
  await handle.read(first, 0, HEAD_BYTES, 0)
  if (!first.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('it is no snapshot')
  if (first.readDoubleLE(24) !== size) throw new Error('it is not whole')
  const textLength = first.readUInt32LE(16)
  if (textLength > size) throw new Error('its checksum is wrong')
  const text = await readPart(handle, HEAD_BYTES, textLength)
  let sum = crc32(text)
  const { format, about, sections } = readContents(text)
  if (format !== FORMAT) throw new Error('another version wrote it')
  // Each section has a buffer of its own: what is copied on will not keep the rest in memory.
  const found: Section[] = []
  let at = HEAD_BYTES + padded(textLength)
  for (const [name, length] of sections) {
    if (at + length > size) throw new Error('its checksum is wrong')
    const bytes = await readPart(handle, at, length)
    sum = await addSum(sum, bytes)
    found.push({ name, bytes })
    at += padded(length)
  }
  if (sum !== first.readUInt32LE(20)) throw new Error('its checksum is wrong')
  return { about, sections: found }
}

async function readPart(handle: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const bytes = sharedBytes(length)
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(bytes, at, Math.min(PART, length - at), from + at)
    if (bytesRead === 0) throw new Error('it is not whole')
    at += bytesRead
  }
  return bytes
}

function readContents(text: Uint8Array): Contents {
  try {
    return JSON.parse(Buffer.from(text).toString()) as Contents
  } catch {
    throw new Error('its checksum is wrong')
  }
}

async function addSum(sum: number, bytes: Uint8Array): Promise<number> {
  let added = sum
  for (let from = 0; from < bytes.length; from += PART) {
    added = crc32(bytes.subarray(from, from + PART), added)
    await nextTurn()
  }
  return added
}
