import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

const NAME = 'catalogue-index'
/** Nothing takes so long to be written. */
const LEFT_AFTER_MS = 60 * 60_000

/** The index that is kept in a data folder. */
export const keptFile = (dataDir: string) => path.join(dataDir, NAME)

/** A file of one's own, for as long as something is written and read. */
export const temporaryBeside = (file: string) => `${file}.${randomUUID()}`

/** Removes what processes that were killed left beside the index. */
export async function removeLeftovers(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  for (const name of names.filter((one) => one.startsWith(`${NAME}.`))) {
    const file = path.join(dataDir, name)
    const known = await stat(file).catch(() => undefined)
    if (known && Date.now() - known.mtimeMs > LEFT_AFTER_MS) await rm(file, { force: true })
  }
}
