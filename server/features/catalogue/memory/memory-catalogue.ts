import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Facets, TagCount } from '#contract/catalogue.ts'
import type { Database } from '#server/db/database.ts'
import type { Catalogue, Found } from '#server/features/catalogue/catalogue.ts'
import type { Completion, CompletionQuery } from '#server/features/catalogue/completion.ts'
import { findFresh } from '#server/features/catalogue/feed.ts'
import type { CatalogueFilter, CatalogueQuery } from '#server/features/catalogue/query.ts'
import { buildIndex } from './build.ts'
import { Changes } from './changes.ts'
import { IndexQueries } from './index-queries.ts'
import type { MemoryIndex } from './memory-index.ts'
import { readRows } from './read-rows.ts'
import { Slices } from './slices.ts'
import type { Snapshot } from './snapshot.ts'

const RETRY_MS = 1000

interface Options {
  db: Database
  /** The same database. */
  pool: pg.Pool
  /** Where a large index is left for a moment by who makes it. */
  dataDir: string
  log: FastifyBaseLogger
  /** Answers until the index is ready. */
  meanwhile: Catalogue
  /** Told after changes of these scripts have reached the index; without ids, when it took over. */
  onApplied(scriptIds: readonly number[]): void
  snapshot?: Snapshot
}

/** The catalogue in memory. While the index is made or made anew, the other implementation answers. */
export class MemoryCatalogue implements Catalogue {
  readonly #options: Options
  readonly #changes = new Changes()
  readonly #closing = new AbortController()
  #index: MemoryIndex | undefined
  #queries: IndexQueries | undefined
  #work: Promise<void> = Promise.resolve()
  #isWorking = false
  /** Raised when what was known is lost: what is being built then is too old. */
  #generation = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  get isReady(): boolean {
    return this.#queries !== undefined
  }

  /** Begins to make the index. The feed has to be followed from before this call on. */
  start(): void {
    this.#generation++
    this.#index = undefined
    this.#queries = undefined
    this.#run()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await this.#work
    const { snapshot } = this.#options
    if (snapshot && this.#index && this.isReady && this.#changes.isEmpty) await snapshot.take(this.#index)
    await snapshot?.written
  }

  /** Changes by this process: its next answers wait until they are in. */
  noteOwn(scriptIds: readonly number[]): void {
    if (this.isReady) this.#changes.addOwn(scriptIds)
    else this.#changes.add(scriptIds)
    this.#run()
  }

  /** Changes that the feed brought. */
  note(scriptIds: readonly number[]): void {
    this.#changes.add(scriptIds)
    this.#run()
  }

  /** The answer when there is nothing to wait for. */
  findNow(query: CatalogueQuery): Found | undefined {
    return this.#changes.settled ? undefined : this.#queries?.find(query)
  }

  async find(query: CatalogueQuery): Promise<Found> {
    return (await this.#whenSettled())?.find(query) ?? this.#options.meanwhile.find(query)
  }

  async facets(filter: CatalogueFilter): Promise<Facets> {
    return (await this.#whenSettled())?.facets(filter) ?? this.#options.meanwhile.facets(filter)
  }

  async suggest(filter: CatalogueFilter): Promise<string[] | undefined> {
    return (await this.#whenSettled())?.suggest(filter)
  }

  async complete(query: CompletionQuery): Promise<Completion> {
    return (await this.#whenSettled())?.complete(query) ?? this.#options.meanwhile.complete(query)
  }

  async tags(most: number): Promise<TagCount[]> {
    return (await this.#whenSettled())?.tags(most) ?? this.#options.meanwhile.tags(most)
  }

  async #whenSettled(): Promise<IndexQueries | undefined> {
    const settled = this.#queries && this.#changes.settled
    if (settled) await settled
    return this.#queries
  }

  /** One at a time: what is read later is newer. */
  #run(): void {
    if (this.#isWorking || this.#closing.signal.aborted) return
    this.#isWorking = true
    clearTimeout(this.#timer)
    this.#work = this.#catchUpFully()
  }

  async #catchUpFully(): Promise<void> {
    try {
      do await this.#catchUp()
      while (!this.#changes.isEmpty || !this.#index)
      if (this.#options.snapshot?.isDue) await this.#options.snapshot.take(this.#index)
    } catch (error) {
      this.#putOff(error as Error)
    }
    this.#isWorking = false
  }

  #putOff(error: Error): void {
    this.#changes.release()
    if (this.#closing.signal.aborted) return
    this.#options.log.warn({ reason: error.message }, 'the catalogue index could not be brought up to date')
    this.#timer = setTimeout(() => this.#run(), RETRY_MS)
    this.#timer.unref()
  }

  async #catchUp(): Promise<void> {
    const index = this.#index ?? (await this.#restore()) ?? (await this.#build())
    await this.#takeIn(index)
    if (this.isReady || index !== this.#index) return
    // What others committed and the feed has not brought yet: nothing that SQL has shown may go away again.
    this.#changes.add(await findFresh(this.#options.db))
    await this.#takeIn(index)
    if (index !== this.#index) return
    this.#queries = new IndexQueries(index)
    this.#options.onApplied([])
  }

  /** Only at the start: what was lost later is not in any snapshot. */
  async #restore(): Promise<MemoryIndex | undefined> {
    const started = performance.now()
    const generation = this.#generation
    if (generation > 1) return undefined
    const restored = await this.#options.snapshot?.restore()
    if (!restored || generation !== this.#generation) return undefined
    this.#index = restored.index
    this.#changes.add(restored.changed)
    const ms = Math.round(performance.now() - started)
    this.#options.log.info({ scripts: restored.index.size, ms }, 'the catalogue index is read from its snapshot')
    return restored.index
  }

  async #build(): Promise<MemoryIndex> {
    const started = performance.now()
    const generation = this.#generation
    const index = await buildIndex(this.#options, this.#closing.signal)
    const ms = Math.round(performance.now() - started)
    this.#options.log.info({ scripts: index.size, ms }, 'the catalogue index is built')
    if (generation === this.#generation) this.#index = index
    return index
  }

  async #takeIn(index: MemoryIndex): Promise<void> {
    while (!this.#changes.isEmpty && index === this.#index) {
      this.#closing.signal.throwIfAborted()
      const { ids, done } = this.#changes.take()
      try {
        await this.#apply(index, ids)
      } catch (error) {
        this.#changes.add(ids)
        throw error
      } finally {
        done()
      }
    }
  }

  async #apply(index: MemoryIndex, ids: readonly number[]): Promise<void> {
    const rows = await readRows(this.#options.db, index.labels, ids)
    const listed = new Map(rows.map((row) => [row.id, row]))
    const slices = new Slices()
    try {
      for (const id of ids) {
        const row = listed.get(id)
        if (row) index.put(row)
        else index.remove(id)
        if (slices.isDue) await slices.pause()
      }
    } catch (error) {
      // Half a change is in: nothing of this index can be trusted any more.
      this.#index = undefined
      this.#queries = undefined
      throw error
    }
    this.#options.onApplied(ids)
  }
}
