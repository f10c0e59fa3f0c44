import type pg from 'pg'
import { to } from 'pg-copy-streams'

const HEADER_BYTES = 19
/** Before a row's one value: how many values it has, and how long this one is. */
const ROW_HEADER_BYTES = 6

/**
 * Gives the one value of each row that a query without parameters finds, as PostgreSQL's binary COPY sends it; its bytes are
 * good until `take` returns.
 */
export async function copyRows(client: pg.ClientBase, query: string, take: (value: Buffer) => void): Promise<void> {
  // One room for all: joining each chunk to the rest of the last one would leave hundreds of megabytes to be collected.
  let room = Buffer.alloc(1 << 16)
  let filled = 0
  let at = HEADER_BYTES
  for await (const chunk of client.query(to(`copy (${query}) to stdout (format binary)`)) as AsyncIterable<Buffer>) {
    if (filled + chunk.length > room.length) room = Buffer.concat([room], 2 * (filled + chunk.length))
    filled += chunk.copy(room, filled)
    for (;;) {
      const from = at + ROW_HEADER_BYTES
      // The last row is none: it has minus one value and nothing after it.
      if (from > filled) break
      const end = from + room.readInt32BE(from - 4)
      if (end > filled) break
      take(room.subarray(from, end))
      at = end
    }
    if (at > filled) continue
    room.copyWithin(0, at, filled)
    filled -= at
    at = 0
  }
}
