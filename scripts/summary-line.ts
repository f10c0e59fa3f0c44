import { writeFileSync } from 'node:fs'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Ends a runner's output with the one line that CI reads, and leaves it to `npm test`, which adds the runners up. */
export function printSummaryLine(runner: string, { passed, failed, skipped }: Counts): void {
  const line = `${runner}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`
  process.stdout.write(line)
  const { SUMMARY_FILE } = process.env
  if (SUMMARY_FILE) writeFileSync(SUMMARY_FILE, line)
}
