export const HALF_LIFE_DAYS = 14
/** Members vote with their full weight from this age on; the votes of younger ones together are bounded. */
export const ESTABLISHED_DAYS = 30
/** The votes of new members together weigh at most this share of the others' votes. */
export const MAX_NEW_SHARE = 0.02
/** Standard score of a one-sided confidence of 95 %. */
export const Z = 1.6449

const DAY_MS = 86_400_000

export interface Vote {
  works: boolean
  /** 0 to 1. */
  weight: number
  isEstablished: boolean
  votedAt: Date
}

/** The decayed weights of the votes that say that it works, and of all votes. */
export interface Tally {
  yes: number
  total: number
}

/**
 * Adds up votes. Each weighs `weight × 2^(-age / 14 days)`; if those of new members weigh more than 2 % of the others', they
 * are scaled down to that. So any number of new members moves the share of votes by at most 2 points, and the lower bound
 * by less than 5. All weights fade alike: later, both sums are the same times a power of two. The reference for the SQL.
 */
export function tallyVotes(votes: readonly Vote[], now: Date): Tally {
  const sums = { established: { yes: 0, total: 0 }, recent: { yes: 0, total: 0 } }
  for (const { works, weight, isEstablished, votedAt } of votes) {
    const decayed = weight * fade(now.getTime() - votedAt.getTime())
    const sum = isEstablished ? sums.established : sums.recent
    sum.total += decayed
    if (works) sum.yes += decayed
  }
  const { established, recent } = sums
  const scale = recent.total > 0 ? Math.min(1, (MAX_NEW_SHARE * established.total) / recent.total) : 0
  return { yes: established.yes + scale * recent.yes, total: established.total + scale * recent.total }
}

/** The factor by which a weight falls in this time. */
export const fade = (ms: number): number => 2 ** (-ms / (HALF_LIFE_DAYS * DAY_MS))

/**
 * The lower end of the Wilson score interval (Wilson 1927; as a score for votes: Miller, "How Not To Sort By Average Rating",
 * 2009): with 95 % confidence, more than this share of members would say that it works. 0 without votes.
 */
export function lowerBound({ yes, total }: Tally): number {
  if (total <= 0) return 0
  const share = Math.min(yes / total, 1)
  const z2 = Z * Z
  const spread = Z * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total * total))
  return Math.max(0, (share + z2 / (2 * total) - spread) / (1 + z2 / total))
}

/**
 * The time at which the lower bound falls to one half, as the votes fade; undefined if it is not above it. The Wilson interval
 * inverts the score test, so the bound is above one half exactly if `total > z² / (2 share - 1)²`.
 */
export function worksUntil({ yes, total }: Tally, now: Date): Date | undefined {
  if (total <= 0 || yes * 2 <= total) return undefined
  const surplus = (total * ((2 * yes) / total - 1) ** 2) / (Z * Z)
  return surplus > 1 ? new Date(now.getTime() + HALF_LIFE_DAYS * DAY_MS * Math.log2(surplus)) : undefined
}
