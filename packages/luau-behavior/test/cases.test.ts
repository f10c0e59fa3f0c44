import { describe, expect, test } from 'vitest'
import { makeCases } from '../../../lab/bench/behavior/cases.ts'
import type { Case } from '../../../lab/bench/behavior/samples.ts'
import { analyze } from '../src/index.ts'

/** What a case has too little and too much, by name. */
const errorsOf = (cases: Case[]): string[] =>
  cases.flatMap(({ name, code, labels }) => {
    const found = analyze(code).capabilities.map(({ id }) => id)
    const missed = labels.filter((id) => !found.includes(id)).map((id) => `${name}: ${id} is missed`)
    const wrong = found.filter((id) => !labels.includes(id)).map((id) => `${name}: ${id} is wrong`)
    return [...missed, ...wrong]
  })

describe('of the made cases', () => {
  const groups = Map.groupBy(makeCases(), ({ evasion }) => evasion)
  test.each([...groups])('all are right: %s', (_, cases) => {
    expect(errorsOf(cases.filter((_case, index) => index % 2 === 0))).toEqual([])
  })
})
