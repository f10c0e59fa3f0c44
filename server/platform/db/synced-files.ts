import { open, writeFile } from 'node:fs/promises'

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
