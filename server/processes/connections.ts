const POOL = 8
const MIN_POOL = 3
/** Of all processes of a machine together, while that leaves each enough. */
const POOLS = 32
/** Each process hears notifications and, while it makes its index, reads the catalogue over connections of their own. */
const SPECIAL = 2
/** For the start, a person who looks, and what comes back while PostgreSQL has not seen it go. */
const SPARE = 10
const MIN_CONNECTIONS = 50

/** How many connections each of so many processes may have open for its requests. */
export function poolSize(workers: number): number {
  return Math.min(POOL, Math.max(MIN_POOL, Math.floor(POOLS / workers)))
}

/** How many connections a PostgreSQL has to take for so many processes. */
export function maxConnections(workers: number): number {
  return Math.max(MIN_CONNECTIONS, workers * (poolSize(workers) + SPECIAL) + SPARE)
}
