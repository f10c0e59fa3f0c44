import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { GiveawayDraw } from '#contract/giveaways.ts'
import { isDrawn, type Replay, replayDraw } from './replay-draw.ts'

const SEED = '1f'.repeat(32)
const ENTRIES = Array.from({ length: 5000 }, (_, i) => i * 7 + 3)

// Node's HMAC, because it is independent of the Web Crypto code under test.
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
  const changed = { ...draw, ...changes }
  return isDrawn(changed) ? replayDraw(changed, () => undefined) : undefined
}

test('confirms a fair draw', async () => {
  expect(await replay({})).toEqual({ isSeedValid: true, winners: WINNERS, areWinnersSame: true })
})

test.each<[string, Partial<GiveawayDraw>, Partial<Replay>]>([
  ['a seed that does not match its hash', { seed_sha256: '0'.repeat(64) }, { isSeedValid: false }],
  ['a replaced winner', { winners: [3, ...WINNERS.slice(1)] }, { areWinnersSame: false }],
  ['winners in another order', { winners: WINNERS.toReversed() }, { areWinnersSame: false }],
  ['a missing winner', { winners: WINNERS.slice(1) }, { areWinnersSame: false }],
  ['a missing entry', { entries: ENTRIES.filter((id) => id !== WINNERS[0]) }, { areWinnersSame: false }],
])('detects %s', async (_name, changes, expected) => {
  expect(await replay(changes)).toMatchObject(expected)
})

test('lets every entry win if there are fewer entries than winners', async () => {
  const entries = ENTRIES.slice(0, 2)
  expect((await replay({ entries, winners: [] }))?.winners.toSorted((a, b) => a - b)).toEqual(entries)
})

test('does not replay a giveaway without a draw', async () => {
  expect(await replay({ seed: null, winners: [], drawn_at: null })).toBeUndefined()
})

test('reports progress up to 1', async () => {
  const shares: number[] = []
  if (isDrawn(draw)) await replayDraw(draw, (share) => shares.push(share))
  expect(shares).toEqual([0.4, 0.8, 1])
})
