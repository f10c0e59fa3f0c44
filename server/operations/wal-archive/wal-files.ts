// Files of the WAL in an archive: their names, how they are compressed, and which database they belong to. Loaded for each
// file, so it imports little.
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { UserFacingError } from '#server/platform/config/values.ts'
import type { BackupStorage } from '#server/operations/backup/storage.ts'

export const SEGMENT_BYTES = 16 * 1024 * 1024
const SEGMENTS_PER_FILE_ID = 0x1_0000_0000 / SEGMENT_BYTES

export const walObject = (name: string): string => `wal/${name}.gz`

const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/
const WAL_NAME = /^[0-9A-F]{24}(\.partial|\.[0-9A-F]{8}\.backup)?$|^[0-9A-F]{8}\.history$/

export const isWalName = (name: string): boolean => WAL_NAME.test(name)

export const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')

export const segmentName = (timeline: number, segment: number): string =>
  hex(timeline) + hex(Math.floor(segment / SEGMENTS_PER_FILE_ID)) + hex(segment % SEGMENTS_PER_FILE_ID)

/** Number of a segment in the history of its database; undefined for other files. */
export function readSegment(name: string): { timeline: number; segment: number } | undefined {
  const [, timeline, file, part] = SEGMENT.exec(name) ?? []
  if (timeline === undefined || file === undefined || part === undefined) return undefined
  return {
    timeline: Number.parseInt(timeline, 16),
    segment: Number.parseInt(file, 16) * SEGMENTS_PER_FILE_ID + Number.parseInt(part, 16),
  }
}

const GZIP_LEVEL = 4
const GZIP_TIME_OFFSET = 4

/** The header has the time, as `gzip` writes it for files. */
export async function compress(bytes: Buffer): Promise<Buffer> {
  const compressed = await promisify(gzip)(bytes, { level: GZIP_LEVEL })
  compressed.writeUInt32LE(Math.floor(Date.now() / 1000), GZIP_TIME_OFFSET)
  return compressed
}

/** Undefined if the file is truncated or was changed. */
export async function decompress(compressed: Buffer): Promise<Buffer | undefined> {
  return promisify(gunzip)(compressed, { finishFlush: constants.Z_FINISH }).catch(() => undefined)
}

const IDENTITY = 'wal/cluster.json'

/** Undefined if the archive is empty. */
export async function findIdentity(storage: BackupStorage): Promise<string | undefined> {
  const bytes = await storage.read(IDENTITY)
  if (!bytes) return undefined
  const { system_identifier } = parseJson(bytes) as { system_identifier?: unknown }
  if (typeof system_identifier === 'string') return system_identifier
  throw new UserFacingError(`${IDENTITY} in ${storage.location} is damaged. Use a new place for the archive.`)
}

/** Throws UserFacingError. */
export async function requireIdentity(storage: BackupStorage, identifier: string): Promise<void> {
  const current = await findIdentity(storage)
  if (current === undefined || current === identifier) return
  throw new UserFacingError(
    `${storage.location} has the WAL archive of another database. Set WAL_ARCHIVE to a new place.`,
  )
}

/** Makes an empty archive the one of a database. Only PostgreSQL's user calls it, who must be able to read the file. */
export async function claimArchive(storage: BackupStorage, identifier: string): Promise<void> {
  await requireIdentity(storage, identifier)
  if ((await findIdentity(storage)) === undefined)
    await storage.put(IDENTITY, Buffer.from(`{"system_identifier":"${identifier}"}\n`))
}

export function parseJson(bytes: Buffer): object {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Not JSON.
  }
  return {}
}

/** When a segment was archived: the end of the second that its file has. */
export async function readArchiveTime(storage: BackupStorage, name: string): Promise<Date> {
  const bytes = await storage.read(walObject(name))
  const seconds = bytes && bytes.length > GZIP_TIME_OFFSET + 4 ? bytes.readUInt32LE(GZIP_TIME_OFFSET) : 0
  return new Date(seconds * 1000 + 999)
}
