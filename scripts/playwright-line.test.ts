import { expect, test } from 'vitest'
import { summarize } from './playwright-line.ts'

type Outcome = 'expected' | 'flaky' | 'unexpected' | 'skipped'

const journey = (name: string, outcome: Outcome) => ({
  outcome: () => outcome,
  titlePath: () => ['', 'desktop', 'browse.spec.ts', name],
})

test('counts a journey that passes only on a retry as failed, and names it', () => {
  const journeys = [journey('searches', 'expected'), journey('pages', 'flaky'), journey('sorts', 'skipped')]
  expect(summarize(journeys, 'passed')).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    flaky: ['desktop > browse.spec.ts > pages'],
    failures: ['desktop > browse.spec.ts > pages'],
  })
})

test('counts failed journeys', () => {
  const journeys = [journey('searches', 'unexpected'), journey('pages', 'expected')]
  expect(summarize(journeys, 'failed')).toMatchObject({
    passed: 1,
    failed: 1,
    failures: ['desktop > browse.spec.ts > searches'],
  })
})

test('counts a run that breaks without a failed journey as one failure', () => {
  expect(summarize([journey('searches', 'expected')], 'timedout')).toMatchObject({ passed: 1, failed: 1 })
})
