import type { MemoryIndex } from './memory-index.ts'
import { KEPT_SORTS } from './orders.ts'
import type { Slices } from './slices.ts'
import { sortSlowly } from './sort-slowly.ts'

const PART = 8192

/** Makes all orders of an index that was loaded with these scripts, in short slices. */
export async function sortOrders(index: MemoryIndex, ids: Uint32Array, slices: Slices, signal?: AbortSignal) {
  const keys = new Float64Array(index.columns.length)
  const some = new Float64Array(PART)
  for (const sort of KEPT_SORTS) {
    const order = index.orders[sort]
    for (let from = 0; from < ids.length; from += PART) {
      const part = ids.subarray(from, from + PART)
      order.writeKeys(part, some)
      for (let at = 0; at < part.length; at++) keys[part[at] ?? 0] = some[at] ?? 0
      if (slices.isDue) await slices.pause()
    }
    order.load(await sortSlowly(ids.slice(), keys, order.compare, slices))
    if (slices.isDue) await slices.pause()
    signal?.throwIfAborted()
  }
}
