import type { GiveawayDraw } from '#contract/giveaways.ts'

export interface Replay {
  /** Whether the seed matches the hash published in advance. */
  isSeedValid: boolean
  /** Ids of the winning entries, in order. */
  winners: number[]
  areWinnersSame: boolean
}

type DrawnGiveaway = GiveawayDraw & { seed: string }

export const isDrawn = (draw: GiveawayDraw): draw is DrawnGiveaway => draw.seed !== null

const BATCH = 2000

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

const hexOf = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Repeats a draw from its published data with Web Crypto: entries are sorted by HMAC-SHA-256 (RFC 2104) of the seed and
 * the entry's id, and the first ones win. `onProgress` receives the share of processed entries, from 0 to 1.
 */
export async function replayDraw(draw: DrawnGiveaway, onProgress: (share: number) => void): Promise<Replay> {
  const seed = bytesOf(draw.seed)
  const key = await crypto.subtle.importKey('raw', seed, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const rankOf = async (id: number) => ({
    id,
    rank: hexOf(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(String(id)))),
  })
  let best: { id: number; rank: string }[] = []
  for (let offset = 0; offset < draw.entries.length; offset += BATCH) {
    const ranked = await Promise.all(draw.entries.slice(offset, offset + BATCH).map(rankOf))
    best = [...best, ...ranked].toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, draw.winner_count)
    onProgress(Math.min(1, (offset + BATCH) / draw.entries.length))
  }
  const winners = best.map(({ id }) => id)
  return {
    isSeedValid: hexOf(await crypto.subtle.digest('SHA-256', seed)) === draw.seed_sha256,
    winners,
    areWinnersSame: winners.join() === draw.winners.join(),
  }
}
