/**
 * Partition of ids into shards by a hash. Consecutive ids form blocks of `shards` ids, of which each shard has exactly
 * one, decided by the hash of the block: shards have the same size whatever pattern the ids follow. Local ids have no
 * gaps and need no table: the number of the block plus one, in the order of the ids.
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

  /** The id of a document within its shard, from 1. */
  localId(id: number): number {
    return this.#blockOf(id) + 1
  }

  id(localId: number, shard: number): number {
    const block = localId - 1
    return block * this.shards + ((shard - (hash(block) % this.shards) + this.shards) % this.shards)
  }

  /** Maps any id to a number that sorts like it among a shard's local ids: between two of them if it has no such id. */
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
