/**
 * Partition of ids into shards by a hash. Of `shards` consecutive ids, each shard has exactly one: which one depends on the
 * hash of their block. So shards have the same size, whatever pattern the ids of some documents follow, and a shard numbers
 * its documents without gaps (its arrays are indexed by id) and without a table: the local id is the number of the block,
 * and local ids are in the order of the ids.
 */
export class Partition {
  readonly shards: number

  /** Throws RangeError for a number of shards that is not a positive integer. */
  constructor(shards: number) {
    if (!Number.isInteger(shards) || shards < 1) throw new RangeError('The number of shards is a positive integer')
    this.shards = shards
  }

  shardOf(id: number): number {
    return (id + hash(this.#blockOf(id))) % this.shards
  }

  localId(id: number): number {
    return this.#blockOf(id) + 1
  }

  /** The id of a document of a shard. */
  id(localId: number, shard: number): number {
    const block = localId - 1
    return block * this.shards + ((shard - (hash(block) % this.shards) + this.shards) % this.shards)
  }

  /** A number that compares with the local ids of a shard as the id, which may be of another shard, with their ids. */
  localPosition(id: number, shard: number): number {
    const localId = this.localId(id)
    const own = this.id(localId, shard)
    return own < id ? localId + 0.5 : own > id ? localId - 0.5 : localId
  }

  #blockOf(id: number): number {
    return Math.floor(id / this.shards)
  }
}

/** Mixes the bits of a number (the finalizer of MurmurHash3, Austin Appleby, public domain). Less than 2^16. */
function hash(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) & 0xffff
}
