import type { FullConfig, FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter'
import { printSummaryLine } from './summary-line.ts'

type Journey = Pick<TestCase, 'outcome' | 'titlePath'>

/** Counts journeys by outcome. A journey that passes only on a retry has failed. */
export function summarize(journeys: readonly Journey[], status: FullResult['status']) {
  const named = (outcome: string) =>
    journeys.filter((one) => one.outcome() === outcome).map((one) => one.titlePath().filter(Boolean).join(' > '))
  const flaky = named('flaky')
  const failed = flaky.length + named('unexpected').length
  return {
    passed: named('expected').length,
    // The run can also break, for instance by a time limit, without a failed journey.
    failed: failed === 0 && status !== 'passed' ? 1 : failed,
    skipped: named('skipped').length,
    flaky,
  }
}

/** Ends a run with the one line that CI adds up. */
export default class Line implements Reporter {
  #root: Suite | undefined

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#root = suite
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    const summary = summarize(this.#root?.allTests() ?? [], result.status)
    for (const name of summary.flaky) console.log(`failed, passed only on a retry: ${name}`)
    printSummaryLine('playwright', summary)
    return { status: result.status === 'passed' && summary.failed > 0 ? 'failed' : result.status }
  }
}
