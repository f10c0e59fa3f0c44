// Where backups and archives are stored: a folder, or the objects of a bucket below a prefix.
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { describeLocation, type StorageLocation } from '#server/platform/config/storage.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { syncFolder } from '#server/platform/db/synced-files.ts'

export interface StoredObject {
  /** With slashes. */
  name: string
  bytes: number
  changedAt: Date
}

type StorageProblem = 'full' | 'unusable' | 'rejected' | 'missing' | 'unreachable' | 'damaged'

export class StorageError extends UserFacingError {
  override name = 'StorageError'
  readonly problem: StorageProblem

  constructor(problem: StorageProblem, sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.problem = problem
  }
}

/** Methods throw StorageError. */
export interface BackupStorage {
  location: string
  /** Writes an object that appears whole or not at all, replacing one of the same name. */
  put(name: string, content: Buffer | Readable): Promise<void>
  read(name: string): Promise<Buffer | undefined>
  /** The bytes of an object, which must exist. */
  open(name: string): AsyncIterable<Buffer>
  /** Objects whose names have this prefix, which ends in a slash or is empty. A folder also has drafts of writes that were killed. */
  list(prefix: string): Promise<StoredObject[]>
  remove(name: string): Promise<void>
}

export const openStorage = (location: StorageLocation): BackupStorage =>
  typeof location === 'string' ? openFolder(location) : openBucket(location)

/** Writes, reads, lists and removes an object. Throws StorageError. */
export async function probeStorage(location: StorageLocation): Promise<void> {
  const storage = openStorage(location)
  const name = `check-${randomBytes(8).toString('hex')}`
  const bytes = randomBytes(100)
  await storage.put(name, bytes)
  const stored = await storage.read(name)
  await storage.list(`${name}/`)
  await storage.remove(name)
  if (!stored?.equals(bytes)) {
    const sentence = `${storage.location} returns other bytes than what was written. Check the storage.`
    throw new StorageError('damaged', sentence)
  }
}

const DRAFT = /\.[0-9a-f]{12}\.draft$/

/** Whether a file is the draft of a write that was killed, or is in progress. */
export const isDraft = (name: string): boolean => DRAFT.test(name)

function openFolder(folder: string): BackupStorage {
  const pathOf = (name: string) => path.join(folder, name)
  const explain = (error: unknown) => explainFolderError(error, folder)
  return {
    location: folder,
    async put(name, content) {
      const target = pathOf(name)
      const draft = `${target}.${randomBytes(6).toString('hex')}.draft`
      try {
        await mkdir(path.dirname(target), { recursive: true })
        // Only the owner may read: backups have keys and private messages.
        const options = { flags: 'wx', flush: true, mode: 0o600 } as const
        if (Buffer.isBuffer(content)) await writeFile(draft, content, { ...options, flag: options.flags })
        else await pipeline(content, createWriteStream(draft, options))
        await rename(draft, target)
        await syncFolder(path.dirname(target))
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {})
        throw explain(error)
      }
    },
    read: (name) => unlessMissing(readFile(pathOf(name)), explain),
    open: (name) => createReadStream(pathOf(name)),
    async list(prefix) {
      const names = await unlessMissing(readdir(pathOf(prefix), { recursive: true, withFileTypes: true }), explain)
      const files = (names ?? []).filter((entry) => entry.isFile())
      const objects: StoredObject[] = []
      for (const { parentPath, name: last } of files) {
        const file = path.join(parentPath, last)
        const stats = await unlessMissing(stat(file), explain)
        const name = path.relative(folder, file).split(path.sep).join('/')
        if (stats) objects.push({ name, bytes: stats.size, changedAt: stats.mtime })
      }
      return objects
    },
    async remove(name) {
      await rm(pathOf(name), { force: true }).catch((error: unknown) => {
        throw explain(error)
      })
    },
  }
}

async function unlessMissing<T>(reading: Promise<T>, explain: (error: unknown) => unknown): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw explain(error)
  }
}

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const NO_ACCESS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT'])

function explainFolderError(error: unknown, folder: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (NO_SPACE.has(code)) return new StorageError('full', `There is no room in ${folder}. Free some space.`, error)
  if (!NO_ACCESS.has(code)) return error
  const sentence = `${folder} cannot be used (${code}). Choose a folder that the site may read and write.`
  return new StorageError('unusable', sentence, error)
}

/** Size of the parts of uploads and downloads. S3 allows 10,000 parts. */
const PART_BYTES = 32 * 1024 * 1024
const TIMEOUT_MS = 60_000
const ATTEMPTS = 3

function openBucket(location: Exclude<StorageLocation, string>): BackupStorage {
  const { bucket, prefix, endpoint, ...access } = location
  const s3 = new S3mini({
    ...access,
    endpoint: `${endpoint}/${bucket}`,
    requestAbortTimeout: TIMEOUT_MS,
    minPartSize: PART_BYTES,
  })
  const keyOf = (name: string) => `${prefix}/${name}`
  const shown = describeLocation(location)
  const send = <T>(request: () => Promise<T>) => withRetry(request, shown)
  return {
    location: shown,
    async put(name, content) {
      const key = keyOf(name)
      if (Buffer.isBuffer(content)) {
        await send(() => s3.putObject(key, content))
        return
      }
      let bytes = 0
      const counted = Readable.from(content).map((chunk: Buffer) => {
        bytes += chunk.length
        return chunk
      })
      // A stream can't be sent twice. Its parts are retried one by one.
      await s3.putAnyObject(key, Readable.toWeb(counted) as ReadableStream).catch((error: unknown) => {
        throw explainS3Error(error, shown)
      })
      const stored = await send(() => s3.getContentLength(key))
      if (stored !== bytes) {
        await send(() => s3.deleteObject(key))
        const sentence = `${shown}/${name} has ${stored} bytes instead of ${bytes} after the upload. Try again.`
        throw new StorageError('damaged', sentence)
      }
    },
    async read(name) {
      const bytes = await send(() => s3.getObjectArrayBuffer(keyOf(name)))
      return bytes ? Buffer.from(bytes) : undefined
    },
    async *open(name) {
      const key = keyOf(name)
      const size = await send(() => s3.getContentLength(key))
      for (let start = 0; start < size; start += PART_BYTES) {
        const end = Math.min(start + PART_BYTES, size)
        const read = async () => Buffer.from(await (await s3.getObjectRaw(key, false, start, end)).arrayBuffer())
        yield await send(read)
      }
    },
    async list(part) {
      const objects = await send(() => s3.listObjects('/', keyOf(part)))
      if (!objects) throw new StorageError('missing', `There is no bucket ${bucket} at ${endpoint}. Create it.`)
      return objects.map(({ Key, Size, LastModified }) => ({
        name: Key.slice(prefix.length + 1),
        bytes: Size,
        changedAt: new Date(LastModified),
      }))
    },
    async remove(name) {
      await send(() => s3.deleteObject(keyOf(name)))
    },
  }
}

/** All requests here are idempotent. */
async function withRetry<T>(request: () => Promise<T>, location: string): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw explainS3Error(error, location)
    }
  }
}

const statusOf = (error: unknown): number | undefined => {
  const { cause } = error as Error
  if (error instanceof S3ServiceError) return error.status
  return cause instanceof S3ServiceError ? cause.status : undefined
}

function isTransient(error: unknown): boolean {
  const status = statusOf(error)
  return status === undefined || status >= 500 || status === 429 || status === 408
}

function explainS3Error(error: unknown, location: string): StorageError {
  const status = statusOf(error)
  if (status === 403 || status === 401) {
    const sentence = `${location} rejects the site. Check the BACKUP_S3 settings and the rights of the key.`
    return new StorageError('rejected', sentence, error)
  }
  if (status === 404)
    return new StorageError('missing', `${location} does not exist. Check the name of the bucket.`, error)
  const reason = status === undefined ? (error as Error).message : `status ${status}`
  const sentence = `${location} cannot be reached (${reason}). Check BACKUP_S3_ENDPOINT and the network.`
  return new StorageError('unreachable', sentence, error)
}
