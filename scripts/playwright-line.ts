import type { FullConfig, FullResult, Reporter, Suite } from '@playwright/test/reporter'
import { closeWithLine } from './closing-line.ts'

/** Ends a run with the one line that CI adds up. */
export default class Line implements Reporter {
  #root: Suite | undefined

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#root = suite
  }

  onEnd(result: FullResult): void {
    const counts = { expected: 0, flaky: 0, unexpected: 0, skipped: 0 }
    for (const test of this.#root?.allTests() ?? []) counts[test.outcome()]++
    // The run itself may break without a test that fails.
    const lost = result.status !== 'passed' && counts.unexpected === 0 ? 1 : 0
    const passed = counts.expected + counts.flaky
    closeWithLine('playwright', { passed, failed: counts.unexpected + lost, skipped: counts.skipped })
  }
}
