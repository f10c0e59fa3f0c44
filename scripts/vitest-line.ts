import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { printSlowestTests, printSummaryLine } from './summary-line.ts'

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`

/** Ends a Vitest run with its slowest tests and the summary line that CI adds up. */
export default class SummaryReporter implements Reporter {
  onInit(): void {
    console.log(
      `seed of random values: ${process.env['TEST_SEED']} (repeat with TEST_SEED=${process.env['TEST_SEED']})`,
    )
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const failures: string[] = []
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) {
        const isFlaky = test.diagnostic()?.flaky === true
        const state = isFlaky ? 'failed' : test.result().state
        counts[state]++
        if (state === 'failed') failures.push(nameOf(test))
      }
      // A file that fails to load has no tests that fail.
      if (tests.length === 0 && module.state() === 'failed') {
        counts.failed++
        failures.push(module.relativeModuleId)
      }
    }
    printSlowestTests(
      modules.flatMap((module) =>
        [...module.children.allTests()].map((test) => ({
          name: nameOf(test),
          milliseconds: test.diagnostic()?.duration ?? 0,
        })),
      ),
    )
    const skipped = counts.skipped + counts.pending
    if (counts.failed > 0)
      console.log(`repeat the random values of this run with TEST_SEED=${process.env['TEST_SEED']}`)
    printSummaryLine('vitest', { passed: counts.passed, failed: counts.failed, skipped }, failures)
  }
}
