import { writeFileSync } from 'node:fs'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Also writes the line and the names of failed tests to SUMMARY_FILE: scripts/run/test.mjs adds the runners up. */
export function printSummaryLine(
  runner: string,
  { passed, failed, skipped }: Counts,
  failures: readonly string[],
): void {
  const line = `${runner}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`
  process.stdout.write(line)
  const { SUMMARY_FILE } = process.env
  if (SUMMARY_FILE) writeFileSync(SUMMARY_FILE, line + failures.map((failure) => `${failure}\n`).join(''))
}

interface TimedTest {
  name: string
  milliseconds: number
}

const SLOWEST_COUNT = 20

export function printSlowestTests(tests: readonly TimedTest[]): void {
  if (tests.length <= SLOWEST_COUNT) return
  const slowest = tests.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST_COUNT)
  console.log(`\n${SLOWEST_COUNT} slowest tests:`)
  for (const { name, milliseconds } of slowest)
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${name}`)
}
