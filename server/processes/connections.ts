const POOL = 8
const LEAST_POOL = 3
/** Of all processes of a machine together, while that leaves each enough. */
const POOLS = 32
/** Each process hears notifications and, while it makes its index, reads the catalogue over connections of their own. */
const SPECIAL = 2
/** For the start, a person who looks, and what comes back while PostgreSQL has not seen it go. */
const SPARE = 10
const LEAST_CONNECTIONS = 50

/** How many connections each of so many processes may have open for its requests. */
export function poolSize(workers: number): number {
  return Math.min(POOL, Math.max(LEAST_POOL, Math.floor(POOLS / workers)))
}

/** How many connections a PostgreSQL has to take for so many processes. */
export function mostConnections(workers: number): number {
  return Math.max(LEAST_CONNECTIONS, workers * (poolSize(workers) + SPECIAL) + SPARE)
}
