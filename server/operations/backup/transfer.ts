import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UserFacingError } from '#server/platform/config/values.ts'
import { MANIFEST } from './manifest.ts'
import type { BackupStorage } from './storage.ts'

const CONCURRENCY = 4
/** Larger files are streamed. */
const MAX_BUFFER_BYTES = 16 * 1024 * 1024

/** Throws UserFacingError if the storage has objects already. */
export async function requireUnused(storage: BackupStorage): Promise<void> {
  const objects = await storage.list('')
  if (objects.length === 0) return
  throw new UserFacingError(
    objects.some(({ name }) => name === MANIFEST)
      ? `${storage.location} exists already. Choose a prefix without objects.`
      : `${storage.location} has objects and no ${MANIFEST}: an upload is in progress or was interrupted. In the second case, remove them and try again.`,
  )
}

/** Reads every file back and compares it. The manifest is last: without it, the objects do not count as a backup. */
export async function uploadBackup(folder: string, storage: BackupStorage): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .filter((file) => file !== MANIFEST)
  await inParallel(files, async (file) => upload(folder, file, storage))
  await upload(folder, MANIFEST, storage)
}

async function upload(folder: string, file: string, storage: BackupStorage): Promise<void> {
  const source = path.join(folder, file)
  const { size } = await stat(source)
  const content = size > MAX_BUFFER_BYTES ? createReadStream(source) : await readFile(source)
  const name = file.split(path.sep).join('/')
  await storage.put(name, content)
  if ((await hashOf(storage.open(name))) === (await hashOf(createReadStream(source)))) return
  throw new UserFacingError(`${storage.location}/${name} has other content than what was uploaded. Try again.`)
}

async function hashOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Downloads a backup into a folder, which must be empty. Throws UserFacingError if the storage has no whole backup. */
export async function downloadBackup(storage: BackupStorage, folder: string): Promise<void> {
  const objects = await storage.list('')
  if (!objects.some(({ name }) => name === MANIFEST)) {
    throw new UserFacingError(`There is no backup in ${storage.location}: ${MANIFEST} is missing.`)
  }
  await inParallel(objects, async ({ name }) => {
    const file = path.join(folder, name)
    // A name with .. would leave the folder.
    if (!file.startsWith(folder + path.sep)) return
    await mkdir(path.dirname(file), { recursive: true })
    await pipeline(Readable.from(storage.open(name)), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
    throw new UserFacingError(`There is no room for the backup in ${folder}. Set TMPDIR to a folder with more room.`)
  })
}

/** Removes a backup, its manifest first. */
export async function removeBackup(storage: BackupStorage): Promise<void> {
  await storage.remove(MANIFEST)
  await inParallel(await storage.list(''), ({ name }) => storage.remove(name))
}

async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const remaining = items[Symbol.iterator]()
  const work = async () => {
    for (const item of remaining) await run(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}
