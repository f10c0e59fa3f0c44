import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { FeedCheckpoint } from '#server/features/catalogue/feed.ts'
import { temporaryBeside } from './index-files.ts'
import { readSections, writeSections } from './section-file.ts'
import type { Section } from './sections.ts'

/** What a snapshot says of itself. */
export interface SnapshotHead {
  /** Of the database, as it names itself. */
  origin: string
  mark: FeedCheckpoint
}

/** Writes a snapshot beside the old one and puts it in its place when it is whole. */
export async function writeSnapshot(file: string, head: SnapshotHead, sections: readonly Section[]): Promise<void> {
  const unfinished = temporaryBeside(file)
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await writeSections(handle, head, sections)
    await handle.datasync()
    await handle.close()
    await rename(unfinished, file)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(unfinished, { force: true })
    throw error
  }
}

export interface ReadSnapshot extends SnapshotHead {
  sections: readonly Section[]
}

/** Reads a snapshot and checks its sum. Undefined when there is none; throws what is wrong with it. */
export async function readSnapshot(file: string): Promise<ReadSnapshot | undefined> {
  const handle = await openKnown(file)
  if (!handle) return undefined
  try {
    const { about, sections } = await readSections(handle)
    return { ...(about as SnapshotHead), sections }
  } finally {
    await handle.close()
  }
}

async function openKnown(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
