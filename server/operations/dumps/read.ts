import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { createGunzip } from 'node:zlib'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import {
  DUMP_FORMAT_VERSION,
  DUMP_KIND_NAMES,
  DUMP_KINDS,
  type DumpFile,
  dumpFileName,
  type DumpKindName,
  DumpManifest,
  type DumpRow,
} from '#contract/dumps.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { MANIFEST } from './write.ts'

export class DumpError extends UserFacingError {
  override name = 'DumpError'
}

/** Longer than any row: code of a megabyte with every character escaped. */
const MAX_LINE_BYTES = 16 * 1024 * 1024
const CHUNK_BYTES = 128 * 1024
const MAX_MANIFEST_BYTES = 1024 * 1024

/** Reads and checks the manifest of a dump in a folder. Throws DumpError. */
export async function readManifest(folder: string, schemaVersion: string): Promise<DumpManifest> {
  const file = path.join(folder, MANIFEST)
  const size = await stat(file).then(
    (found) => found.size,
    () => undefined,
  )
  if (size === undefined) throw new DumpError(`There is no dump in ${folder}: ${MANIFEST} is missing.`)
  if (size > MAX_MANIFEST_BYTES) throw new DumpError(`${MANIFEST} is too large to be the manifest of a dump.`)
  const manifest = parseJson(await readFile(file, 'utf8'), MANIFEST)
  // Checked before the rest, which another format may have changed.
  const { format, format_version: version } = (manifest ?? {}) as Partial<DumpManifest>
  if (format !== 'scriptyard-dump') throw new DumpError(`${MANIFEST} is not the manifest of a Scriptyard dump.`)
  if (typeof version === 'number' && version > DUMP_FORMAT_VERSION) {
    throw new DumpError(
      `The dump has format ${version}, and this version of Scriptyard reads up to ${DUMP_FORMAT_VERSION}. Update Scriptyard and try again.`,
    )
  }
  const checked = checkSchema(DumpManifest)(manifest, MANIFEST) as DumpManifest
  if (checked.schema_version > schemaVersion) {
    throw new DumpError(
      `The dump is from a newer version of Scriptyard (${checked.schema_version}). Update Scriptyard and try again.`,
    )
  }
  checked.files.forEach((entry, i) => {
    const kind = DUMP_KIND_NAMES[i] ?? entry.kind
    if (entry.kind === kind && entry.name === dumpFileName(kind)) return
    throw new DumpError(`${MANIFEST} does not list ${dumpFileName(kind)} at position ${i + 1}.`)
  })
  return checked
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DumpError(`${where} is not valid JSON.`)
  }
}

function checkSchema(schema: TSchema) {
  const validator = Compile(schema)
  return (value: unknown, where: string): unknown => {
    if (validator.Check(value)) return value
    const [, [error]] = validator.Errors(value)
    throw new DumpError(`${where} does not match the format of a dump (${error?.instancePath || '/'}).`)
  }
}

/** Checks each row against its schema, the order, and at the end the totals and the checksum. Throws DumpError. */
export async function* readRows<K extends DumpKindName>(
  folder: string,
  file: DumpFile & { kind: K },
): AsyncGenerator<DumpRow<K>[]> {
  const check = checkSchema(DUMP_KINDS[file.kind].schema) as (value: unknown, where: string) => DumpRow<K>
  const checkOrder = orderCheck(DUMP_KINDS[file.kind].key)
  let rows = 0
  for await (const lines of readLines(folder, file)) {
    const batch = lines.map((line) => {
      const where = `Line ${++rows} of ${file.name}`
      if (line.length > MAX_LINE_BYTES) throw new DumpError(`${where} is too long.`)
      const row = check(parseJson(line, where), where)
      if (SUSPECT.test(line) && hasInvalidText(row)) throw new DumpError(`${where} has invalid text.`)
      checkOrder(row, where)
      checkRow(file.kind, row, where)
      return row
    })
    yield batch
  }
  if (rows !== file.rows) throw new DumpError(`${file.name} has ${rows} rows instead of ${file.rows}.`)
}

/** Lines whose JSON may have text that PostgreSQL or UTF-8 cannot represent. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i

function hasInvalidText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some((pair) => pair.some(hasInvalidText))
}

/** Checks that keys ascend, which also finds duplicates. */
function orderCheck(key: readonly string[]) {
  let former: (string | number)[] | undefined
  return (row: object, where: string) => {
    const values = key.map((field) => (row as Record<string, string | number>)[field] ?? '')
    const isAfter = !former || compare(values, former) > 0
    if (!isAfter) throw new DumpError(`${where} is out of order or repeats a row.`)
    former = values
  }
}

function compare(first: readonly (string | number)[], second: readonly (string | number)[]): number {
  const i = first.findIndex((value, index) => value !== second[index])
  return i < 0 ? 0 : (first[i] ?? '') > (second[i] ?? '') ? 1 : -1
}

/** Checks what a schema cannot express: that code matches its size and its hash. */
function checkRow(kind: DumpKindName, row: object, where: string): void {
  if (kind !== 'versions') return
  const { content, size, sha256 } = row as DumpRow<'versions'>
  if (Buffer.byteLength(content) !== size || hash('sha256', content) !== sha256) {
    throw new DumpError(`${where} has code that does not match its size and SHA-256.`)
  }
}

/** The lines of a compressed file, in batches. Throws DumpError for a damaged or changed file. */
async function* readLines(folder: string, file: DumpFile): AsyncGenerator<string[]> {
  const { name, bytes, sha256 } = file
  const location = path.join(folder, name)
  const stats = await lstat(location).catch(() => undefined)
  if (!stats?.isFile()) throw new DumpError(`${name} is missing.`)
  if (stats.size !== bytes)
    throw new DumpError(`${name} has ${stats.size} bytes instead of ${bytes}: it is not complete.`)
  const checksum = createHash('sha256')
  const source = createReadStream(location)
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  source.on('data', (chunk) => checksum.update(chunk))
  source.on('error', (error) => gunzip.destroy(error))
  source.pipe(gunzip)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let uncompressed = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      uncompressed += chunk.length
      if (uncompressed > file.uncompressed_bytes) throw new DumpError(`${name} is longer than ${MANIFEST} says.`)
      const text = decoder.decode(chunk, { stream: true })
      const end = text.lastIndexOf('\n')
      if (end >= 0) yield (rest + text.slice(0, end)).split('\n')
      rest = end >= 0 ? text.slice(end + 1) : rest + text
      if (rest.length > MAX_LINE_BYTES) throw new DumpError(`${name} has a line that is too long.`)
    }
    rest += decoder.decode()
  } catch (error) {
    if (error instanceof DumpError) throw error
    throw new DumpError(`${name} is damaged and cannot be read.`, { cause: error })
  } finally {
    source.destroy()
    gunzip.destroy()
  }
  if (rest !== '') throw new DumpError(`${name} ends in the middle of a line.`)
  if (checksum.digest('hex') !== sha256) {
    throw new DumpError(`${name} does not have the checksum in ${MANIFEST}: it was changed.`)
  }
}
