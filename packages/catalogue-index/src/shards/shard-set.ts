import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CatalogueDocument, CatalogueSchema, IndexTuning } from '../schema.ts'
import type { TagInfo } from '../vocabulary.ts'
import { DocumentWriter } from './documents.ts'
import { Filling, type ShardSource } from './filling.ts'
import { Partition } from './partition.ts'
import {
  EncodedCall,
  type Method,
  type MethodParameters,
  type Result,
  ShardClient,
  ShardUnavailableError,
} from './shard-client.ts'
import type { ShardSetup } from './shard-index.ts'

export interface ShardedIndexOptions<Flag extends string, Sort extends string, Tag extends TagInfo> {
  schema: CatalogueSchema<Flag, Sort>
  shards: number
  source: ShardSource<Tag>
  /** Folder with the files of `save`, which are read first instead of the source. Later changes must be applied. */
  folder?: string | undefined
  tuning?: Partial<IndexTuning> | undefined
  sharding?: Partial<ShardTuning>
  /** Called when a shard has been filled, also after a restart. */
  onReady?: (shard: number) => void
  /** Called when the process of a shard ends. It is restarted. */
  onFailure?: (shard: number, reason: string) => void
}

/** Thresholds of sharding. None changes an answer, only how it is found. */
export interface ShardTuning {
  /** Milliseconds after which a query fails with `ShardTimeoutError`. */
  timeoutMs: number
  /** Milliseconds without any answer after which a process is restarted. */
  hangMs: number
  /** Milliseconds before the first restart; doubled with each further failure, up to a hundred times as long. */
  restartMs: number
  /** Arguments of Node.js for the processes. */
  nodeOptions: readonly string[]
  /** Standard deviations of margin around the part where a page is expected; four times as many in the next round. */
  deviations: number
  /** From this many documents per shard on, a page first requests the total, to count from the nearer end. */
  maxBlindDocuments: number
  /** A shard counts this many times the requested number of most frequent tags. Doubled while that is too little. */
  tagFactor: number
}

export const DEFAULT_SHARD_TUNING: ShardTuning = {
  timeoutMs: 2000,
  hangMs: 30_000,
  restartMs: 200,
  // More threads would only compete with the other shards.
  nodeOptions: ['--single-threaded-gc', '--v8-pool-size=1'],
  deviations: 4,
  maxBlindDocuments: 600,
  tagFactor: 2,
}

interface Change {
  documents: Uint8Array
  removed: number[]
}

interface Shard {
  readonly number: number
  client: ShardClient
  /** Whether the process has its setup, which must be its first message. */
  isSetUp: boolean
  isReady: boolean
  /** Changes that came while the shard was filled. */
  queued: Change[]
  failures: number
}

/** False also for a shard whose process was killed and has not ended yet. */
const isAnswering = ({ isReady, client }: Shard) => isReady && client.isRunning

/** The processes of all shards: starts, fills, changes, calls and restarts them. */
export class ShardSet<Flag extends string, Sort extends string, Tag extends TagInfo> {
  readonly #options: ShardedIndexOptions<Flag, Sort, Tag>
  readonly tuning: ShardTuning
  readonly #partition: Partition
  readonly #shards: Shard[] = []
  readonly #tags = new Map<number, Tag>()
  #isClosed = false

  constructor(options: ShardedIndexOptions<Flag, Sort, Tag>) {
    this.#options = options
    this.tuning = { ...DEFAULT_SHARD_TUNING, ...options.sharding }
    this.#partition = new Partition(options.shards)
  }

  async open(): Promise<void> {
    const { shards, folder } = this.#options
    try {
      for (let number = 0; number < shards; number++) this.#shards.push(this.#createShard(number))
      if (folder === undefined) await this.#fill(this.#shards)
      else await this.#load(folder)
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#shards.map(({ client }) => client.kill('the index was closed')))
  }

  get isReady(): boolean {
    return this.#shards.every(isAnswering)
  }

  get processIds(): (number | undefined)[] {
    return this.#shards.map(({ client }) => client.pid)
  }

  addTag(tag: Tag): void {
    if (this.#tags.has(tag.id)) return
    this.#tags.set(tag.id, tag)
    const call = new EncodedCall('addTags', [tag])
    for (const shard of this.#shards) if (shard.isSetUp) this.#send(shard, call).catch(() => {})
  }

  async apply(documents: readonly CatalogueDocument[], removed: readonly number[] = []): Promise<void> {
    const changes = this.#shards.map(() => ({
      writer: new DocumentWriter(this.#options.schema),
      removed: [] as number[],
    }))
    for (const document of documents) changes[this.#partition.shardOf(document.id)]?.writer.write(document)
    for (const id of removed) changes[this.#partition.shardOf(id)]?.removed.push(id)
    const applied: Promise<void>[] = []
    for (const shard of this.#shards) {
      const change = changes[shard.number]
      if (!change || (change.writer.length === 0 && change.removed.length === 0)) continue
      const encoded = { documents: change.writer.take(), removed: change.removed }
      if (isAnswering(shard)) applied.push(this.#applyTo(shard, encoded))
      else shard.queued.push(encoded)
    }
    await Promise.all(applied)
  }

  async askAll<Name extends Method>(method: Name, ...parameters: MethodParameters<Name>): Promise<Result<Name>[]> {
    const missing = this.#shards.find((shard) => !isAnswering(shard))
    if (missing) {
      throw new ShardUnavailableError(missing.number, this.#isClosed ? 'the index was closed' : 'it is starting')
    }
    const call = new EncodedCall(method, ...parameters)
    return Promise.all(this.#shards.map((shard) => this.#ask(shard, call)))
  }

  tag(id: number): Tag {
    const tag = this.#tags.get(id)
    if (!tag) throw new Error(`Tag ${id} is unknown`)
    return tag
  }

  async #ask<Name extends Method>(shard: Shard, call: EncodedCall<Name>): Promise<Result<Name>> {
    const { timeoutMs, hangMs } = this.tuning
    const { client } = shard
    try {
      return await client.call(call, timeoutMs)
    } catch (error) {
      if (client.silentMs > hangMs) void client.kill(`it did not answer for ${hangMs} ms`)
      throw error
    }
  }

  #applyTo(shard: Shard, { documents, removed }: Change): Promise<void> {
    return this.#send(shard, new EncodedCall('apply', documents, removed))
  }

  /** Sends a change. A shard in which it fails is inconsistent, so its process is killed and filled again. */
  async #send(shard: Shard, call: EncodedCall<'apply' | 'addTags'>): Promise<void> {
    const { client } = shard
    try {
      await client.call(call)
    } catch (error) {
      void client.kill((error as Error).message)
      throw error
    }
  }

  #createShard(number: number): Shard {
    const state = { isSetUp: false, isReady: false, failures: 0 }
    const shard: Omit<Shard, 'client'> = { number, ...state, queued: [] }
    return Object.assign(shard, { client: this.#startClient(shard as Shard) })
  }

  #startClient(shard: Shard): ShardClient {
    return new ShardClient(shard.number, this.tuning.nodeOptions, (reason) => {
      const wasReady = shard.isReady
      shard.isReady = false
      shard.isSetUp = false
      if (this.#isClosed) return
      this.#options.onFailure?.(shard.number, reason)
      if (wasReady) void this.#restart(shard)
    })
  }

  /** Restarts the process of a shard until it is filled. */
  async #restart(shard: Shard): Promise<void> {
    const { restartMs } = this.tuning
    while (!this.#isClosed) {
      await sleep(restartMs * Math.min(100, 2 ** shard.failures), undefined, { ref: false })
      if (this.#isClosed) return
      shard.queued = []
      shard.client = this.#startClient(shard)
      try {
        await this.#fill([shard])
        return
      } catch (error) {
        shard.failures++
        await shard.client.kill((error as Error).message)
      }
    }
  }

  async save(folder: string): Promise<void> {
    await Promise.all(
      this.#shards.map((shard) => shard.client.call(new EncodedCall('save', this.#fileOf(folder, shard)))),
    )
  }

  #fileOf(folder: string, { number }: Shard): string {
    return path.join(folder, `shard-${number + 1}-of-${this.#partition.shards}`)
  }

  async #load(folder: string): Promise<void> {
    await this.#setUp(this.#shards)
    const loaded = this.#shards.map((shard) => shard.client.call(new EncodedCall('load', this.#fileOf(folder, shard))))
    for (const tags of await Promise.all(loaded)) for (const tag of tags) this.#tags.set(tag.id, tag as Tag)
    // A tag that was added during `save` may be known to some shards only.
    const known = new EncodedCall('addTags', [...this.#tags.values()])
    await Promise.all(this.#shards.map(({ client }) => client.call(known)))
    for (const shard of this.#shards) this.#open(shard)
  }

  async #setUp(shards: readonly Shard[]): Promise<void> {
    const { schema, tuning, source } = this.#options
    const maxId = await source.maxId()
    const setup = { schema, tuning, shards: this.#partition.shards, maxId }
    const opened = shards.map((shard) => {
      shard.isSetUp = true
      return shard.client.call(new EncodedCall('open', { ...setup, shard: shard.number } satisfies ShardSetup))
    })
    await Promise.all(opened)
  }

  async #fill(shards: readonly Shard[]): Promise<void> {
    const { schema, source } = this.#options
    await this.#setUp(shards)
    const known = new EncodedCall('addTags', [...this.#tags.values()])
    await Promise.all(shards.map(({ client }) => client.call(known)))
    const filling = new Filling(shards, this.#partition, schema)
    await source.read({
      isWanted: (id) => filling.isWanted(id),
      addTag: (tag) => this.addTag(tag),
      add: (document) => filling.add(document),
      drained: () => filling.drained(),
    })
    await filling.finish()
    for (const shard of shards) this.#open(shard)
  }

  /** Lets a shard answer, after the changes that came while it was filled. */
  #open(shard: Shard): void {
    const { queued, client } = shard
    // Its process ended while other shards were filled.
    if (!client.isRunning) return void this.#restart(shard)
    shard.queued = []
    shard.isReady = true
    shard.failures = 0
    for (const change of queued) this.#applyTo(shard, change).catch(() => {})
    this.#options.onReady?.(shard.number)
  }
}
