import type { FullConfig, FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter'
import { printSlowestTests, printSummaryLine } from './summary-line.ts'

type Journey = Pick<TestCase, 'outcome' | 'titlePath'>

const nameOf = (journey: Journey) => journey.titlePath().filter(Boolean).join(' > ')

/** Counts journeys by outcome. A journey that passes only on a retry has failed. */
export function summarize(journeys: readonly Journey[], status: FullResult['status']) {
  const findByOutcome = (outcome: string) => journeys.filter((journey) => journey.outcome() === outcome).map(nameOf)
  const flaky = findByOutcome('flaky')
  const failures = [...findByOutcome('unexpected'), ...flaky]
  return {
    passed: findByOutcome('expected').length,
    // The run can also break, for instance by a time limit, without a failed journey.
    failed: failures.length === 0 && status !== 'passed' ? 1 : failures.length,
    skipped: findByOutcome('skipped').length,
    flaky,
    failures,
  }
}

/** Ends a Playwright run with its slowest journeys and the summary line that CI adds up. */
export default class SummaryReporter implements Reporter {
  #root: Suite | undefined

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#root = suite
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    const journeys = this.#root?.allTests() ?? []
    const summary = summarize(journeys, result.status)
    printSlowestTests(
      journeys.map((journey) => ({
        name: nameOf(journey),
        milliseconds: Math.max(0, ...journey.results.map(({ duration }) => duration)),
      })),
    )
    for (const name of summary.flaky) console.log(`failed, passed only on a retry: ${name}`)
    printSummaryLine('playwright', summary, summary.failures)
    return { status: result.status === 'passed' && summary.failed > 0 ? 'failed' : result.status }
  }
}
