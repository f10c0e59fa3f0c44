export interface Measurement {
  name: string
  calls: number
  worstMs: number
  /** The slowest response that is aimed at. Missing it fails nothing, because machines differ. */
  targetMs?: number
  /** The slowest response without the time in which the server waited for a processor. */
  worstServedMs?: number
}

export class Report {
  requests = 0
  checks = 0
  worstMs = 0
  /** Sentences; each different one once. */
  readonly failures = new Map<string, number>()
  readonly measurements: Measurement[] = []
  /** Why the part could not run here; undefined if it ran. */
  skipped: string | undefined

  check(isRight: boolean, describe: () => string): void {
    this.checks++
    if (isRight) return
    const sentence = describe()
    this.failures.set(sentence, (this.failures.get(sentence) ?? 0) + 1)
  }

  recordRequest(ms: number): void {
    this.requests++
    this.worstMs = Math.max(this.worstMs, ms)
  }

  /** Adds a row of its own below the part's. Counts as requests of the part. */
  recordMeasurement(measurement: Measurement): void {
    this.measurements.push(measurement)
    this.requests += measurement.calls
    this.worstMs = Math.max(this.worstMs, measurement.worstMs)
  }

  skip(reason: string): void {
    this.skipped = reason
  }

  get verdict(): 'passed' | 'failed' | 'skipped' {
    if (this.failures.size > 0) return 'failed'
    return this.skipped === undefined ? 'passed' : 'skipped'
  }
}

export interface PartResult {
  name: string
  report: Report
  seconds: number
}

const HEAD = ['part', 'requests', 'checks', 'failures', 'worst ms', 'seconds', 'verdict']

/** A table of all parts, followed by every failure and the reason of every skipped part. */
export function formatResults(results: readonly PartResult[]): string {
  const rows = results.flatMap(({ name, report, seconds }) => [
    [
      name,
      formatCount(report.requests),
      formatCount(report.checks),
      formatCount([...report.failures.values()].reduce((sum, times) => sum + times, 0)),
      formatCount(Math.round(report.worstMs)),
      String(Math.round(seconds)),
      report.verdict,
    ],
    ...report.measurements.map((each) => [
      `  ${each.name}`,
      formatCount(each.calls),
      '',
      '',
      formatCount(Math.round(each.worstMs)),
      '',
      describeTarget(each),
    ]),
  ])
  const widths = HEAD.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const format = (row: string[]) =>
    row
      .map((cell, i) => (i === 0 || i === row.length - 1 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  const notes = results.flatMap(({ name, report }) => [
    ...[...report.failures].map(([sentence, times]) => `${name}: ${sentence}${times > 1 ? ` (${times} times)` : ''}`),
    ...(report.skipped === undefined ? [] : [`${name}: skipped, ${report.skipped}`]),
  ])
  return [HEAD, ...rows].map(format).concat(notes).join('\n')
}

const formatCount = (count: number): string => count.toLocaleString('en')

function describeTarget({ worstMs, targetMs, worstServedMs }: Measurement): string {
  if (targetMs === undefined) return ''
  const served = worstServedMs === undefined ? '' : `; ${formatCount(worstServedMs)} ms less waits for a processor`
  return `${worstMs < targetMs ? 'within' : 'over'} ${targetMs} ms${served}`
}
