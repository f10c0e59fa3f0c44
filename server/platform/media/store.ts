import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { S3mini, S3ServiceError } from 's3mini'
import type { S3Config } from '#server/platform/config/storage.ts'
import { AppError } from '#server/platform/http/errors.ts'

export interface StoredFile {
  name: string
  changedAt: Date
}

/** Names are hashes, never user input. Methods throw AppError `media_away` within seconds if the storage is unreachable. */
export interface MediaStore {
  /** Writes a file atomically, replacing one of the same name. */
  put(name: string, bytes: Buffer): Promise<void>
  get(name: string): Promise<Buffer | undefined>
  has(name: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** Lists all files in batches, including partial ones that a crash left behind. */
  list(): AsyncIterable<StoredFile[]>
}

const mediaAway = (cause: unknown) =>
  new AppError('media_away', 503, 'Images cannot be reached right now. Please try again in a moment.', {
    retryAfter: 5,
    cause,
  })

type MediaSize = 'card' | 'full'

const NAME = /^([0-9a-f]{64})(?:-card)?\.webp$/

function mediaName(hash: string, size: MediaSize): string {
  return size === 'card' ? `${hash}-card.webp` : `${hash}.webp`
}

export const mediaNames = (hash: string): [full: string, card: string] => [
  mediaName(hash, 'full'),
  mediaName(hash, 'card'),
]

/** Path of an image. The response never changes. */
export function mediaPath(hash: string, size: MediaSize): string {
  return `/media/${mediaName(hash, size)}`
}

export const readHash = (name: string): string | undefined => NAME.exec(name)?.[1]

export function hashOfPath(imagePath: string): string | undefined {
  return imagePath.startsWith('/media/') ? readHash(imagePath.slice('/media/'.length)) : undefined
}

/** Stores images as files in subfolders named after the first two characters of the file name. */
export function openFileStore(folder: string): MediaStore {
  const pathOf = (name: string) => path.join(folder, name.slice(0, 2), name)
  return {
    async put(name, bytes) {
      const target = pathOf(name)
      await mkdir(path.dirname(target), { recursive: true })
      // Written to a temporary file, synced and renamed: a crash leaves the whole file or none.
      const draft = `${target}.${randomBytes(6).toString('hex')}`
      try {
        await writeSynced(draft, bytes)
        await rename(draft, target)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    get: (name) => unlessMissing(readFile(pathOf(name))),
    async has(name) {
      return (await unlessMissing(access(pathOf(name)).then(() => true))) ?? false
    },
    async remove(name) {
      await rm(pathOf(name), { force: true })
    },
    async *list() {
      for (const part of (await unlessMissing(readdir(folder))) ?? []) yield listPart(path.join(folder, part))
    },
  }
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

async function listPart(folder: string): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for (const name of (await unlessMissing(readdir(folder))) ?? []) {
    const stats = await unlessMissing(stat(path.join(folder, name)))
    if (stats?.isFile()) files.push({ name, changedAt: stats.mtime })
  }
  return files
}

async function writeSynced(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Per attempt. Images are a few hundred kilobytes at most. */
const TIMEOUT_MS = 4000
/** Key prefix, because the bucket may be shared. */
const KEY_PREFIX = 'media/'
const PAGE_SIZE = 1000

/** Stores images in S3-compatible storage. The bucket must exist; it may be private. */
export function openS3Store({ endpoint, bucket, ...credentials }: S3Config, { pageSize = PAGE_SIZE } = {}): MediaStore {
  const s3 = new S3mini({ ...credentials, endpoint: `${endpoint}/${bucket}`, requestAbortTimeout: TIMEOUT_MS })
  return {
    async put(name, bytes) {
      await withRetry(() => s3.putObject(KEY_PREFIX + name, bytes, 'image/webp'))
    },
    async get(name) {
      const bytes = await withRetry(() => s3.getObjectArrayBuffer(KEY_PREFIX + name))
      return bytes ? Buffer.from(bytes) : undefined
    },
    async has(name) {
      return (await withRetry(() => s3.objectExists(KEY_PREFIX + name))) === true
    },
    async remove(name) {
      await withRetry(() => s3.deleteObject(KEY_PREFIX + name).catch(ignoreMissing))
    },
    async *list() {
      let next: string | undefined
      do {
        const token = next
        const page = await withRetry(() => s3.listObjectsPaged('/', KEY_PREFIX, pageSize, token))
        if (!page) throw mediaAway(new Error(`There is no bucket ${bucket}.`))
        yield (page.objects ?? []).map(({ Key, LastModified }) => ({
          name: Key.slice(KEY_PREFIX.length),
          changedAt: LastModified,
        }))
        next = page.nextContinuationToken
      } while (next !== undefined)
    },
  }
}

/** Whether a second attempt may succeed. All requests here are idempotent. */
const isTransient = (error: unknown) =>
  !(error instanceof S3ServiceError) || error.status >= 500 || error.status === 429 || error.status === 408

async function withRetry<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (first) {
    if (!isTransient(first)) throw mediaAway(first)
  }
  return send().catch((error: unknown) => {
    throw mediaAway(error)
  })
}

/** Some servers answer 404 to the removal of a missing object. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof S3ServiceError) || error.status !== 404) throw error
}
