import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { GiveawayDraw } from '#contract/giveaways.ts'
import { isDrawn, type Replay, replayDraw } from './replay-draw.ts'

const SEED = '1f'.repeat(32)
const ENTRIES = Array.from({ length: 5000 }, (_, at) => at * 7 + 3)

// Made here with Node's own HMAC, so that a fault of one is not a fault of both.
const ranks = ENTRIES.map((id) => ({
  id,
  rank: createHmac('sha256', Buffer.from(SEED, 'hex')).update(String(id)).digest('hex'),
}))
const WINNERS = ranks
  .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
  .slice(0, 5)
  .map(({ id }) => id)

const draw: GiveawayDraw = {
  giveaway_id: 1,
  title: 'Passes',
  seed_sha256: createHash('sha256').update(Buffer.from(SEED, 'hex')).digest('hex'),
  seed: SEED,
  winner_count: 5,
  entries: ENTRIES,
  winners: WINNERS,
  drawn_at: '2026-01-01T00:00:00.000Z',
}

async function replay(changes: Partial<GiveawayDraw>): Promise<Replay | undefined> {
  const given = { ...draw, ...changes }
  return isDrawn(given) ? replayDraw(given, () => undefined) : undefined
}

test('a fair draw comes out the same', async () => {
  expect(await replay({})).toEqual({ isSeedKept: true, winners: WINNERS, areWinnersSame: true })
})

test.each<[string, Partial<GiveawayDraw>, Partial<Replay>]>([
  ['another seed than the promised one', { seed_sha256: '0'.repeat(64) }, { isSeedValid: false }],
  ['a winner put in place of another', { winners: [3, ...WINNERS.slice(1)] }, { areWinnersSame: false }],
  ['winners in another order', { winners: WINNERS.toReversed() }, { areWinnersSame: false }],
  ['a winner taken away', { winners: WINNERS.slice(1) }, { areWinnersSame: false }],
  ['an entry left out', { entries: ENTRIES.filter((id) => id !== WINNERS[0]) }, { areWinnersSame: false }],
])('%s is noticed', async (_what, changes, found) => {
  expect(await replay(changes)).toMatchObject(found)
})

test('fewer entries than winners all win', async () => {
  const entries = ENTRIES.slice(0, 2)
  expect((await replay({ entries, winners: [] }))?.winners.toSorted((a, b) => a - b)).toEqual(entries)
})

test('what is not drawn cannot be checked', async () => {
  expect(await replay({ seed: null, winners: [], drawn_at: null })).toBeUndefined()
})

test('tells how far it is, up to the end', async () => {
  const shares: number[] = []
  if (isDrawn(draw)) await replayDraw(draw, (share) => shares.push(share))
  expect(shares).toEqual([0.4, 0.8, 1])
})
