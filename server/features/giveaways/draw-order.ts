import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

const BLOCK_BYTES = 64

/** SHA-256 of the 32 bytes of a seed, both in hexadecimal. */
export const hashSeed = (seed: string): string => createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')

const padded = (seed: string, pad: number): Buffer =>
  Buffer.concat([Buffer.from(seed, 'hex'), Buffer.alloc(BLOCK_BYTES)], BLOCK_BYTES).map((byte) => byte ^ pad) as Buffer

/**
 * HMAC-SHA-256 (RFC 2104) of the seed's bytes and the id in decimal digits, as an expression of the database: a million
 * entries are ordered there within a second, and here nothing waits.
 */
function rankOf(seed: string): RawBuilder<Buffer> {
  return sql<Buffer>`sha256(${padded(seed, 0x5c)}::bytea || sha256(${padded(seed, 0x36)}::bytea || convert_to(e.id::text, 'utf8')))`
}

/** The ids of the entries that win, the first winner first: the lowest ranks among those that take part. */
export async function orderWinners(
  db: Database,
  giveaway: { id: number; seed: string; winnerCount: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select e.id from giveaway_entries e
    where e.giveaway_id = ${giveaway.id} and not e.is_excluded
    order by ${rankOf(giveaway.seed)} limit ${giveaway.winnerCount}`.execute(db)
  return rows.map(({ id }) => id)
}
