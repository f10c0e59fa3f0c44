import type { CatalogueDocument, CatalogueSchema } from '../schema.ts'
import type { TagInfo } from '../vocabulary.ts'
import { DocumentWriter } from './documents.ts'
import type { Partition } from './partition.ts'
import { EncodedCall, type ShardClient } from './shard-client.ts'

/** Receives the documents of shards that are being filled. */
export interface ShardFiller<Tag extends TagInfo = TagInfo> {
  /** Whether a document belongs to one of these shards. Others need not be added. */
  isWanted(id: number): boolean
  /** Adds a tag. All tags of a document must be added before it. */
  addTag(tag: Tag): void
  /** Adds a document, which is copied. Ids must ascend. */
  add(document: CatalogueDocument): void
  /** Resolves when more documents can be added. Await it regularly, to bound the memory. */
  drained(): Promise<void>
}

/** Where shards get their documents: first all shards, later each shard whose process had to be restarted. */
export interface ShardSource<Tag extends TagInfo = TagInfo> {
  /** A number that is not below any id, for the size of arrays. */
  maxId(): number | Promise<number>
  /** Passes on all wanted documents as they are at one moment after the call. A rejection is retried. */
  read(filler: ShardFiller<Tag>): Promise<void>
}

const MAX_BATCH_BYTES = 1 << 18
const MAX_BATCHES = 4

interface ShardFilling {
  readonly client: ShardClient
  readonly writer: DocumentWriter
  /** Batches that the shard has not added yet. */
  batches: number
}

/** Distributes documents to the shards that are being filled, in batches. */
export class Filling {
  readonly #parts: ReadonlyMap<number, ShardFilling>
  readonly #partition: Partition
  #error: Error | undefined
  #next = Promise.withResolvers<void>()

  constructor(
    shards: readonly { number: number; client: ShardClient }[],
    partition: Partition,
    schema: CatalogueSchema,
  ) {
    this.#partition = partition
    this.#parts = new Map(
      shards.map(({ number, client }) => [number, { client, writer: new DocumentWriter(schema), batches: 0 }]),
    )
  }

  isWanted(id: number): boolean {
    return this.#parts.has(this.#partition.shardOf(id))
  }

  add(document: CatalogueDocument): void {
    const part = this.#parts.get(this.#partition.shardOf(document.id))
    if (!part) return
    part.writer.write(document)
    if (part.writer.length >= MAX_BATCH_BYTES) this.#flush(part)
  }

  async drained(): Promise<void> {
    while (!this.#error && this.#parts.values().some(({ batches }) => batches > MAX_BATCHES)) await this.#next.promise
    if (this.#error) throw this.#error
  }

  async finish(): Promise<void> {
    const calls = this.#parts.values().map((part) => {
      this.#flush(part)
      return part.client.call(new EncodedCall('finish'))
    })
    await Promise.all(calls)
    if (this.#error) throw this.#error
  }

  #flush(part: ShardFilling): void {
    part.batches++
    part.client.call(new EncodedCall('fill', part.writer.take())).then(
      () => this.#settle(part),
      (error: Error) => {
        this.#error ??= error
        this.#settle(part)
      },
    )
  }

  #settle(part: ShardFilling): void {
    part.batches--
    this.#next.resolve()
    this.#next = Promise.withResolvers<void>()
  }
}
