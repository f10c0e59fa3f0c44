import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { MediaStore, StoredFile } from './store.ts'

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
