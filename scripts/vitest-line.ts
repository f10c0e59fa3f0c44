import type { Reporter, TestModule } from 'vitest/node'
import { printSummaryLine } from './summary-line.ts'

/** Ends a run with the one line that CI adds up. */
export default class Line implements Reporter {
  onInit(): void {
    console.log(
      `seed of random values: ${process.env['TEST_SEED']} (repeat with TEST_SEED=${process.env['TEST_SEED']})`,
    )
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      for (const state of states) counts[state]++
      // A file that did not load has no tests to fail.
      if (states.length === 0 && module.state() === 'failed') counts.failed++
    }
    const skipped = counts.skipped + counts.pending
    if (counts.failed > 0)
      console.log(`repeat the random values of this run with TEST_SEED=${process.env['TEST_SEED']}`)
    printSummaryLine('vitest', { passed: counts.passed, failed: counts.failed, skipped })
  }
}
