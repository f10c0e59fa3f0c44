import { open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Writes a new file, durably once its folder is synced. */
export async function writeSynced(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx', flush: true })
}

/** Makes new and renamed files of a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().catch(() => {})
  await handle.close()
}

/** Fills a draft folder and renames it: the target appears with all of its files or not at all. */
export async function writeFolder<T>(
  { draft, target }: { draft: string; target: string },
  fill: () => Promise<T>,
): Promise<T> {
  try {
    const result = await fill()
    await rename(draft, target)
    await syncFolder(path.dirname(target))
    return result
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}
