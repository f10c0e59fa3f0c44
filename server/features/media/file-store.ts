import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { MediaStore } from './store.ts'

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
    async get(name) {
      try {
        return await readFile(placeOf(name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async remove(name) {
      await rm(placeOf(name), { force: true })
    },
  }
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
