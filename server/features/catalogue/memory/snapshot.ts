import { rm } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { canReadFrom, type FeedCheckpoint, findReturned, readClock, readFeed } from '#server/features/catalogue/feed.ts'
import { keptFile, removeLeftovers } from './index-files.ts'
import { MemoryIndex } from './memory-index.ts'
import { findOrigin } from './origin.ts'
import type { Section } from './sections.ts'
import { readSnapshot, writeSnapshot } from './snapshot-file.ts'

/** A smaller catalogue is read from the database as quickly. */
const LEAST_SCRIPTS = 20_000
const EVERY_MS = 10 * 60_000

export interface SnapshotOptions {
  db: Database
  log: FastifyBaseLogger
  dataDir: string
  leastScripts?: number
  /** Another process writes the file, and throws it away where it cannot be used. */
  isReadOnly?: boolean
  /** Up to where the feed has been told to whom the index belongs. */
  findMark(): FeedCheckpoint | undefined
}

export interface Restored {
  index: MemoryIndex
  /** Scripts that changed since. */
  changed: number[]
}

/** The index as a file in the data folder, so that a large site is ready at once after a restart. */
export class Snapshot {
  readonly #options: SnapshotOptions
  readonly #file: string
  #writing: Promise<void> = Promise.resolve()
  #writtenAt = -Infinity
  /** Of the mark that the file has. */
  #written = ''

  constructor(options: SnapshotOptions) {
    this.#options = options
    this.#file = keptFile(options.dataDir)
  }

  get isDue(): boolean {
    return !this.#options.isReadOnly && performance.now() - this.#writtenAt > EVERY_MS
  }

  /** Undefined when there is none that can be used; one that cannot be used is deleted. */
  async restore(): Promise<Restored | undefined> {
    const { db, log, dataDir, isReadOnly } = this.#options
    try {
      if (!isReadOnly) await removeLeftovers(dataDir)
      const read = await readSnapshot(this.#file)
      if (!read) return undefined
      const { origin, mark, sections } = read
      if (origin !== (await findOrigin(db))) throw new Error('it is of another database')
      if (!(await canReadFrom(db, mark.position))) throw new Error('it is too old')
      this.#writtenAt = performance.now()
      this.#written = JSON.stringify(mark)
      const index = await MemoryIndex.from(sections)
      return { index, changed: await this.#changesSince(mark) }
    } catch (error) {
      if (isReadOnly) return undefined
      log.warn({ reason: (error as Error).message }, 'the snapshot of the catalogue index is thrown away')
      await rm(this.#file, { force: true })
      return undefined
    }
  }

  /**
   * Copies the index in slices, during which it must not change and every change that was told has to be in it. The copy
   * is written afterwards, while the index goes on.
   */
  async take(index: MemoryIndex): Promise<void> {
    if (this.#options.isReadOnly) return
    const mark = this.#options.findMark()
    if (!mark || index.size < (this.#options.leastScripts ?? LEAST_SCRIPTS)) return
    if (JSON.stringify(mark) === this.#written) return
    this.#writtenAt = performance.now()
    const copied = await index.save()
    this.#writing = this.#writing.then(() => this.#write(copied, mark))
  }

  /** Resolves when what was taken is on the disk. */
  get written(): Promise<void> {
    return this.#writing
  }

  async #write(copied: readonly Section[], mark: FeedCheckpoint): Promise<void> {
    const { db, log } = this.#options
    try {
      const origin = await findOrigin(db)
      if (origin === undefined) return
      await writeSnapshot(this.#file, { origin, mark }, copied)
      this.#written = JSON.stringify(mark)
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'the snapshot of the catalogue index could not be written')
    }
  }

  async #changesSince({ position, returnedUntil }: FeedCheckpoint): Promise<number[]> {
    const { db } = this.#options
    const changed = new Set(await findReturned(db, returnedUntil, await readClock(db)))
    for (let after = position; ;) {
      const page = await readFeed(db, after)
      for (const id of page.scriptIds) changed.add(id)
      if (page.isLast) return [...changed]
      after = page.position
    }
  }
}
