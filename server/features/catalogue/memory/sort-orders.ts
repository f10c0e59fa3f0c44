import type { MemoryIndex } from './memory-index.ts'
import { KEPT_SORTS } from './orders.ts'
import type { Slices } from './slices.ts'
import { sortSlowly } from './sort-slowly.ts'

const LOOK_EVERY = 8192

/** Makes all orders of an index that was loaded with these scripts, in short slices. */
export async function sortOrders(index: MemoryIndex, ids: Uint32Array, slices: Slices, signal?: AbortSignal) {
  const keys = new Float64Array(index.columns.length)
  for (const sort of KEPT_SORTS) {
    const order = index.orders[sort]
    for (const [at, id] of ids.entries()) {
      keys[id] = order.keyOf(id)
      if (at % LOOK_EVERY === 0 && slices.isDue) await slices.pause()
    }
    order.load(await sortSlowly(ids.slice(), keys, order.compare, slices))
    if (slices.isDue) await slices.pause()
    signal?.throwIfAborted()
  }
}
