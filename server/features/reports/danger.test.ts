import { describe, expect, test } from 'vitest'
import { CASE_SEVERITIES, dangerOf, REPORT_SEVERITIES, type SeriousId, severityOf } from '#contract/case-reasons.ts'

/** Mulberry32: the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Kind {
  share: number
  severity: number
  /** Median and spread (standard deviation of log10) of views and downloads of 30 days. */
  reach: readonly [median: number, spread: number]
}

const held = (...ids: SeriousId[]) =>
  severityOf(
    'held_version',
    ids.map((id) => ({ id })),
  )

/**
 * What attackers do: they replace the code of scripts that already have visitors (most of them), or publish new scripts that
 * advertise themselves. Their code steals data, loads more code or spends currency.
 */
const MALICE: Kind[] = [
  { share: 0.35, severity: held('net.exfiltration', 'shape.obfuscated'), reach: [2000, 0.5] },
  { share: 0.25, severity: held('code.remote', 'opaque'), reach: [2000, 0.5] },
  { share: 0.15, severity: held('user.purchase'), reach: [2000, 0.5] },
  { share: 0.15, severity: CASE_SEVERITIES.collector, reach: [1000, 0.5] },
  { share: 0.1, severity: REPORT_SEVERITIES.malicious, reach: [1000, 0.5] },
]

/** What is harmless or less harmful: the catalogue's usual reach is small, and most reports are about manners and copies. */
const USUAL: Kind[] = [
  { share: 0.25, severity: REPORT_SEVERITIES.spam, reach: [60, 0.7] },
  { share: 0.15, severity: REPORT_SEVERITIES.misleading, reach: [100, 0.7] },
  { share: 0.15, severity: REPORT_SEVERITIES.stolen, reach: [100, 0.7] },
  { share: 0.1, severity: REPORT_SEVERITIES.other, reach: [100, 0.7] },
  { share: 0.05, severity: REPORT_SEVERITIES.harassment, reach: [60, 0.7] },
  { share: 0.1, severity: CASE_SEVERITIES.broken_update, reach: [500, 0.7] },
  { share: 0.06, severity: CASE_SEVERITIES.identical_code, reach: [30, 0.7] },
  { share: 0.05, severity: held('opaque'), reach: [200, 0.7] },
  { share: 0.04, severity: held('shape.secret', 'check_failed'), reach: [100, 0.7] },
  // A webhook for bug reports, and data that is deleted on purpose.
  { share: 0.05, severity: held('net.webhook'), reach: [60, 0.7] },
]

const REST: Kind = { share: 0, severity: 1, reach: [10, 0.5] }

const CASES = 200
const PLANTED = 10

/** The share of the planted cases that are in the first tenth. Moderators read daily, so that half of the cases are younger than a day. */
function simulate(random: () => number): number {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const pick = (kinds: Kind[]): Kind => {
    let rest = random()
    const found = kinds.find(({ share }) => {
      rest -= share
      return rest < 0
    })
    return found ?? REST
  }
  const cases = Array.from({ length: CASES }, (_, i) => {
    const isPlanted = i < PLANTED
    const { severity, reach } = pick(isPlanted ? MALICE : USUAL)
    const ageDays = -Math.log(1 - random()) * Math.LOG2E
    return {
      isPlanted,
      danger: dangerOf({ severity, reach: Math.round(reach[0] * 10 ** (reach[1] * normal())), ageDays }),
    }
  })
  const first = cases.toSorted((a, b) => b.danger - a.danger).slice(0, CASES / 10)
  return first.filter(({ isPlanted }) => isPlanted).length / PLANTED
}

describe('the order of the queue', () => {
  test('has at least 90 % of planted malice in its first tenth', () => {
    const random = seeded(51)
    const shares = Array.from({ length: 500 }, () => simulate(random))
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    expect(mean).toBeGreaterThanOrEqual(0.9)
  })

  test('rises with severity, reach and age', () => {
    const base = { severity: 5, reach: 90, ageDays: 3 }
    expect(dangerOf(base)).toBeCloseTo(5 * 2 * 2)
    expect(dangerOf({ ...base, severity: 6 })).toBeGreaterThan(dangerOf(base))
    expect(dangerOf({ ...base, reach: 91 })).toBeGreaterThan(dangerOf(base))
    expect(dangerOf({ ...base, ageDays: 3.01 })).toBeGreaterThan(dangerOf(base))
  })

  test('takes the worst finding of a hold, and the rule of other cases', () => {
    expect(held('shape.secret', 'net.exfiltration', 'opaque')).toBe(10)
    expect(severityOf('first_version', [])).toBe(1)
    expect(severityOf('collector', [{ id: 'collector' }])).toBe(9)
  })
})
