import { createHmac } from 'node:crypto'
import { createPrizeSeal } from '#server/features/giveaways/seal.ts'
import type { Insertable } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Giveaways } from '#server/platform/db/types.generated.ts'

const HOUR_MS = 3_600_000

/** Inserts a giveaway, by default one that ends in an hour. */
export async function makeGiveaway(db: Database, values: Partial<Insertable<Giveaways>> = {}): Promise<number> {
  const seal = createPrizeSeal(Buffer.alloc(32))
  const { id } = await db
    .insertInto('giveaways')
    .values({
      title: 'A giveaway',
      prize_type: 'custom',
      end_date: new Date(Date.now() + HOUR_MS),
      sealed_seed: seal.seal('00'.repeat(32)),
      seed_sha256: '0'.repeat(64),
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Repeats a draw without any of the server's code. */
export function replayDraw(draw: { seed: string; entries: number[]; winner_count: number }): number[] {
  const rank = (id: number) => createHmac('sha256', Buffer.from(draw.seed, 'hex')).update(String(id)).digest('hex')
  return draw.entries
    .map((id) => ({ id, rank: rank(id) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, draw.winner_count)
    .map(({ id }) => id)
}
