import { writeFileSync } from 'node:fs'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Ends a runner's output with the one line that CI reads, and leaves it to `npm test`, which adds the runners up. */
export function closeWithLine(runner: string, { passed, failed, skipped }: Counts): void {
  const line = `${runner}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`
  process.stdout.write(line)
  const { CLOSING_LINE } = process.env
  if (CLOSING_LINE) writeFileSync(CLOSING_LINE, line)
}
