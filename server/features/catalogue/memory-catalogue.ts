import { type IndexTuning, TimeSlicer } from '@scriptyard/catalogue-index'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Facets, TagCount } from '#contract/catalogue.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findRecentChanges } from './feed.ts'
import type {
  Catalogue,
  CatalogueFilter,
  CatalogueQuery,
  CatalogueResult,
  Completion,
  CompletionQuery,
  RelatedQuery,
} from './query.ts'
import { buildIndex } from './index-builder.ts'
import { readRows } from './index-rows.ts'
import type { IndexSnapshots } from './index-snapshots.ts'
import { type ScriptIndex, ScriptIndexQueries } from './script-index.ts'

const RETRY_MS = 1000

interface Options {
  db: Database
  pool: pg.Pool
  dataDir: string
  log: FastifyBaseLogger
  /** Answers while there is no index. */
  fallback: Catalogue
  /** Called when the index contains changes of these scripts; without ids when it starts to answer. */
  onApplied(scriptIds: readonly number[]): void
  snapshots?: IndexSnapshots
  tuning?: Partial<IndexTuning>
}

/** Answers from an index that it builds or restores and updates. The fallback answers while there is none. */
export class MemoryCatalogue implements Catalogue {
  readonly #options: Options
  readonly #changes = new ChangeQueue()
  readonly #closing = new AbortController()
  #index: ScriptIndex | undefined
  #queries: ScriptIndexQueries | undefined
  #work: Promise<void> = Promise.resolve()
  #isRunning = false
  /** Incremented when changes may have been missed: an index that is being built then is outdated. */
  #generation = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  get size(): number {
    return this.#index?.size ?? 0
  }

  get isReady(): boolean {
    return this.#queries !== undefined
  }

  /** Builds or rebuilds the index. Follow the change feed before this call. */
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
    const { snapshots } = this.#options
    if (snapshots && this.#index && this.isReady && this.#changes.isEmpty) await snapshots.take(this.#index)
    await snapshots?.written
  }

  /** Enqueues changes by this process. Its next queries wait for them, so that members see what they just wrote. */
  enqueueOwn(scriptIds: readonly number[]): void {
    if (this.isReady) this.#changes.addOwn(scriptIds)
    else this.#changes.add(scriptIds)
    this.#run()
  }

  enqueue(scriptIds: readonly number[]): void {
    this.#changes.add(scriptIds)
    this.#run()
  }

  /** The result; undefined if `find` has to wait for changes or use the fallback. */
  findNow(query: CatalogueQuery): CatalogueResult | undefined {
    return this.#changes.settled ? undefined : this.#queries?.find(query)
  }

  async find(query: CatalogueQuery): Promise<CatalogueResult> {
    return (await this.#whenSettled())?.find(query) ?? this.#options.fallback.find(query)
  }

  async facets(filter: CatalogueFilter): Promise<Facets> {
    return (await this.#whenSettled())?.facets(filter) ?? this.#options.fallback.facets(filter)
  }

  async suggest(filter: CatalogueFilter): Promise<string[] | undefined> {
    return (await this.#whenSettled())?.suggest(filter)
  }

  async complete(query: CompletionQuery): Promise<Completion> {
    return (await this.#whenSettled())?.complete(query) ?? this.#options.fallback.complete(query)
  }

  async countGames(gameIds: readonly string[]): Promise<number[]> {
    return (await this.#whenSettled())?.countGames(gameIds) ?? this.#options.fallback.countGames(gameIds)
  }

  async related(query: RelatedQuery): Promise<number[]> {
    return (await this.#whenSettled())?.related(query) ?? this.#options.fallback.related(query)
  }

  async tags(max: number): Promise<TagCount[]> {
    return (await this.#whenSettled())?.tags(max) ?? this.#options.fallback.tags(max)
  }

  async #whenSettled(): Promise<ScriptIndexQueries | undefined> {
    const settled = this.#queries && this.#changes.settled
    if (settled) await settled
    return this.#queries
  }

  /** Starts the update loop. Only one runs at a time, so that a later read never has older data. */
  #run(): void {
    if (this.#isRunning || this.#closing.signal.aborted) return
    this.#isRunning = true
    clearTimeout(this.#timer)
    this.#work = this.#runUntilIdle()
  }

  async #runUntilIdle(): Promise<void> {
    try {
      do await this.#catchUp()
      while (!this.#changes.isEmpty || !this.#index)
      if (this.#options.snapshots?.isDue) await this.#options.snapshots.take(this.#index)
    } catch (error) {
      this.#retryLater(error as Error)
    }
    this.#isRunning = false
  }

  #retryLater(error: Error): void {
    this.#changes.release()
    if (this.#closing.signal.aborted) return
    this.#options.log.warn({ reason: error.message }, 'catalogue index update failed')
    this.#timer = setTimeout(() => this.#run(), RETRY_MS)
    this.#timer.unref()
  }

  async #catchUp(): Promise<void> {
    const index = this.#index ?? (await this.#restore()) ?? (await this.#build())
    await this.#applyChanges(index)
    if (this.isReady || index !== this.#index) return
    // Includes changes that are committed but not yet in the feed: what SQL has already shown must not disappear again.
    this.#changes.add(await findRecentChanges(this.#options.db))
    await this.#applyChanges(index)
    if (index !== this.#index) return
    this.#queries = new ScriptIndexQueries(index)
    this.#options.onApplied([])
  }

  /** Only for the first index: changes that were missed later are missing in the snapshot, too. */
  async #restore(): Promise<ScriptIndex | undefined> {
    const started = performance.now()
    const generation = this.#generation
    if (generation > 1) return undefined
    const restored = await this.#options.snapshots?.restore()
    if (!restored || generation !== this.#generation) return undefined
    this.#index = restored.index
    this.#changes.add(restored.changedIds)
    const ms = Math.round(performance.now() - started)
    this.#options.log.info({ scripts: restored.index.size, ms }, 'catalogue index restored')
    return restored.index
  }

  async #build(): Promise<ScriptIndex> {
    const started = performance.now()
    const generation = this.#generation
    const index = await buildIndex(this.#options, this.#closing.signal)
    const ms = Math.round(performance.now() - started)
    this.#options.log.info({ scripts: index.size, ms }, 'catalogue index built')
    if (generation === this.#generation) this.#index = index
    return index
  }

  async #applyChanges(index: ScriptIndex): Promise<void> {
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

  async #apply(index: ScriptIndex, ids: readonly number[]): Promise<void> {
    const documents = await readRows(this.#options.db, index, ids)
    const listed = new Map(documents.map((document) => [document.id, document]))
    const slicer = new TimeSlicer()
    try {
      for (const id of ids) {
        const document = listed.get(id)
        if (document) index.put(document)
        else index.remove(id)
        if (slicer.isDue) await slicer.pause()
      }
    } catch (error) {
      // A change is half applied: the index is inconsistent.
      this.#index = undefined
      this.#queries = undefined
      throw error
    }
    this.#options.onApplied(ids)
  }
}

interface Batch {
  ids: number[]
  /** Must be called when the changes are applied or have failed. */
  done: () => void
}

const MAX_BATCH = 500

/** Scripts whose changes must be read. Changes of this process come first, because queries wait for them. */
class ChangeQueue {
  readonly #others = new Set<number>()
  #own = new Set<number>()
  #next: PromiseWithResolvers<void> | undefined
  #running: Promise<void> | undefined

  get isEmpty(): boolean {
    return this.#own.size === 0 && this.#others.size === 0
  }

  add(ids: Iterable<number>): void {
    for (const id of ids) this.#others.add(id)
  }

  addOwn(ids: Iterable<number>): void {
    for (const id of ids) this.#own.add(id)
    if (this.#own.size > 0) this.#next ??= Promise.withResolvers<void>()
  }

  /** Resolves when the own changes enqueued so far are applied; undefined without any. */
  get settled(): Promise<void> | undefined {
    return this.#next?.promise ?? this.#running
  }

  /** Ends all waiting; the changes stay in the queue. */
  release(): void {
    for (const id of this.#own) this.#others.add(id)
    this.#own = new Set()
    this.#next?.resolve()
    this.#next = undefined
  }

  take(): Batch {
    const { promise, resolve } = this.#next ?? Promise.withResolvers<void>()
    if (this.#next) {
      const ids = [...this.#own]
      this.#own = new Set()
      this.#next = undefined
      this.#running = promise
      return {
        ids,
        done: () => {
          this.#running = undefined
          resolve()
        },
      }
    }
    const ids = [...this.#others.values().take(MAX_BATCH)]
    for (const id of ids) this.#others.delete(id)
    return { ids, done: () => {} }
  }
}
