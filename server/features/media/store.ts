import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { S3mini, S3ServiceError } from 's3mini'
import type { MediaS3Config } from '#server/config.ts'
import { AppError } from '#server/http/errors.ts'

export interface StoredFile {
  name: string
  changedAt: Date
}

/**
 * Where the bytes of images are. Names are hashes with an ending, never anything a visitor made up. A store that cannot
 * be reached throws AppError `media_away`, after seconds and not minutes.
 */
export interface MediaStore {
  /** Whole or not at all; over a file of the same name. */
  put(name: string, bytes: Buffer): Promise<void>
  get(name: string): Promise<Buffer | undefined>
  has(name: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** Everything that is here, some at a time, and what a crash left half written. */
  list(): AsyncIterable<StoredFile[]>
}

/** The cause is for the log alone. */
const mediaAway = (cause: unknown) =>
  new AppError('media_away', 503, 'Images cannot be reached right now. Please try again in a moment.', {
    retryAfter: 5,
    cause,
  })

type MediaSize = 'card' | 'full'

const NAME = /^([0-9a-f]{64})(?:-card)?\.webp$/

/** The name of an image's file in the store and in its address. */
function mediaName(hash: string, size: MediaSize): string {
  return size === 'card' ? `${hash}-card.webp` : `${hash}.webp`
}

/** The names of all files that one image has. */
export const mediaNames = (hash: string): [full: string, card: string] => [
  mediaName(hash, 'full'),
  mediaName(hash, 'card'),
]

/** The address of an image, good for ever. */
export function mediaPath(hash: string, size: MediaSize): string {
  return `/media/${mediaName(hash, size)}`
}

/** Whose file a name is; undefined for what is none of ours. */
export const readHash = (name: string): string | undefined => NAME.exec(name)?.[1]

/** The hash in the address of an image. */
export function hashOfPath(address: string): string | undefined {
  return address.startsWith('/media/') ? readHash(address.slice('/media/'.length)) : undefined
}

/** Media as files below one folder, two letters of the name deep. */
export function openFileStore(folder: string): MediaStore {
  const placeOf = (name: string) => path.join(folder, name.slice(0, 2), name)
  return {
    async put(name, bytes) {
      const place = placeOf(name)
      await mkdir(path.dirname(place), { recursive: true })
      // Written aside, synced and renamed, so that a crash leaves the whole file or none.
      const draft = `${place}.${randomBytes(6).toString('hex')}`
      try {
        await writeSynced(draft, bytes)
        await rename(draft, place)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    get: (name) => unlessMissing(readFile(placeOf(name))),
    async has(name) {
      return (await unlessMissing(access(placeOf(name)).then(() => true))) ?? false
    },
    async remove(name) {
      await rm(placeOf(name), { force: true })
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
    const found = await unlessMissing(stat(path.join(folder, name)))
    if (found?.isFile()) files.push({ name, changedAt: found.mtime })
  }
  return files
}

async function writeSynced(place: string, bytes: Buffer): Promise<void> {
  const file = await open(place, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** For each of two tries. Images are a few hundred kilobytes at most. */
const TIMEOUT_MS = 4000
/** Lets other things live in the same bucket. */
const FOLDER = 'media/'
const PAGE = 1000

/** Media in storage that speaks S3. The bucket has to exist and may be private. */
export function openS3Store({ endpoint, bucket, ...credentials }: MediaS3Config, { page = PAGE } = {}): MediaStore {
  const s3 = new S3mini({ ...credentials, endpoint: `${endpoint}/${bucket}`, requestAbortTimeout: TIMEOUT_MS })
  return {
    async put(name, bytes) {
      await twice(() => s3.putObject(FOLDER + name, bytes, 'image/webp'))
    },
    async get(name) {
      const bytes = await twice(() => s3.getObjectArrayBuffer(FOLDER + name))
      return bytes ? Buffer.from(bytes) : undefined
    },
    async has(name) {
      return (await twice(() => s3.objectExists(FOLDER + name))) === true
    },
    async remove(name) {
      await twice(() => s3.deleteObject(FOLDER + name).catch(passMissing))
    },
    async *list() {
      let next: string | undefined
      do {
        const token = next
        const found = await twice(() => s3.listObjectsPaged('/', FOLDER, page, token))
        if (!found) throw mediaAway(new Error(`There is no bucket ${bucket}.`))
        yield (found.objects ?? []).map(({ Key, LastModified }) => ({
          name: Key.slice(FOLDER.length),
          changedAt: LastModified,
        }))
        next = found.nextContinuationToken
      } while (next !== undefined)
    },
  }
}

/** What is refused, like a wrong key, would be refused again. Everything here may be done twice. */
const mayPass = (error: unknown) =>
  !(error instanceof S3ServiceError) || error.status >= 500 || error.status === 429 || error.status === 408

async function twice<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (first) {
    if (!mayPass(first)) throw mediaAway(first)
  }
  return send().catch((error: unknown) => {
    throw mediaAway(error)
  })
}

/** Some servers refuse to remove what is not there. */
function passMissing(error: unknown): void {
  if (!(error instanceof S3ServiceError) || error.status !== 404) throw error
}
