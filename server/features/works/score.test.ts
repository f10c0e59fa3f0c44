import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fade, lowerBound, tallyVotes, type Vote, worksUntil } from './score.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const DAY_MS = 86_400_000
const later = (ms: number) => new Date(NOW.getTime() + ms)

const vote = fc
  .record({ works: fc.boolean(), half: fc.boolean(), age: fc.double({ min: 0, max: 200, noNaN: true }) })
  .map(({ works, half, age }): Vote => {
    return { works, weight: half ? 0.5 : 1, isEstablished: true, votedAt: later(-age * DAY_MS) }
  })
const votes = fc.array(vote, { maxLength: 60 })
const newVote = fc
  .record({ weight: fc.double({ min: 0.001, max: 1, noNaN: true }), age: fc.double({ min: 0, max: 30, noNaN: true }) })
  .map(({ weight, age }) => ({ weight, isEstablished: false, votedAt: later(-age * DAY_MS) }))

describe('the score', () => {
  test('moves by less than 5 points when 1,000 new accounts vote', () => {
    fc.assert(
      fc.property(
        votes,
        fc.boolean(),
        fc.array(newVote, { minLength: 1, maxLength: 5 }),
        (established, works, pattern) => {
          const crowd = Array.from({ length: 1000 }, (_, i): Vote => {
            const { weight, votedAt } = pattern[i % pattern.length] ?? { weight: 1, votedAt: NOW }
            return { works, weight, votedAt, isEstablished: false }
          })
          const before = lowerBound(tallyVotes(established, NOW))
          const after = lowerBound(tallyVotes([...established, ...crowd], NOW))
          expect(Math.abs(after - before)).toBeLessThan(0.05)
        },
      ),
    )
  })

  test('of 1,000 new accounts alone is zero', () => {
    const crowd = Array.from({ length: 1000 }, () => ({ works: true, weight: 1, isEstablished: false, votedAt: NOW }))
    expect(lowerBound(tallyVotes(crowd, NOW))).toBe(0)
  })

  test('is a share that never exceeds the share of votes', () => {
    fc.assert(
      fc.property(votes, (all) => {
        const tally = tallyVotes(all, NOW)
        const score = lowerBound(tally)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(tally.total === 0 ? 0 : tally.yes / tally.total + 1e-12)
      }),
    )
  })

  test('rises with each vote that says it works and falls with each that says it does not', () => {
    fc.assert(
      fc.property(votes, (all) => {
        const score = (extra: boolean[]) =>
          lowerBound(
            tallyVotes(
              [...all, ...extra.map((works) => ({ works, weight: 1, isEstablished: true, votedAt: NOW }))],
              NOW,
            ),
          )
        expect(score([true])).toBeGreaterThan(score([]) - 1e-12)
        expect(score([false])).toBeLessThan(score([]) + 1e-12)
      }),
    )
  })

  test('of a later time follows from the sums of an earlier one', () => {
    fc.assert(
      fc.property(votes, fc.nat(100 * DAY_MS), (all, ms) => {
        const [earlier, then] = [tallyVotes(all, NOW), later(ms)]
        const factor = fade(ms)
        expect(tallyVotes(all, then).total).toBeCloseTo(earlier.total * factor, 9)
        expect(tallyVotes(all, then).yes).toBeCloseTo(earlier.yes * factor, 9)
      }),
    )
  })

  test('halves the weight of a vote in 14 days', () => {
    const old: Vote = { works: true, weight: 1, isEstablished: true, votedAt: later(-14 * DAY_MS) }
    expect(tallyVotes([old], NOW).total).toBeCloseTo(0.5, 12)
  })

  test('of 31 in 34 is 79.9 %', () => {
    expect(lowerBound({ yes: 31, total: 34 })).toBeCloseTo(0.7986, 4)
  })
})

describe('a script works now', () => {
  test('until its score falls to one half, and not longer', () => {
    fc.assert(
      fc.property(votes, (all) => {
        const until = worksUntil(tallyVotes(all, NOW), NOW)
        const scoreAt = (time: Date) => lowerBound(tallyVotes(all, time))
        expect(scoreAt(NOW) > 0.5).toBe(until !== undefined)
        const around = until && [-60_000, 60_000].map((ms) => scoreAt(new Date(until.getTime() + ms)) > 0.5)
        expect(around ?? [true, false]).toEqual([true, false])
      }),
    )
  })

  test('with three fresh votes, but not with two', () => {
    expect(worksUntil({ yes: 3, total: 3 }, NOW)).toBeDefined()
    expect(worksUntil({ yes: 2, total: 2 }, NOW)).toBeUndefined()
    expect(worksUntil({ yes: 0, total: 0 }, NOW)).toBeUndefined()
  })
})
