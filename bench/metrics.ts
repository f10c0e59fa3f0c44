// npm run bench metrics [-- --quick] [--scripts 100000] [--data DIR]
// What metrics cost of the throughput of lists, cached and not: CPU time of the process per response, in slices of 0.2 s
// with and without recording, in turn, in one process under a steady load. The median of the ratios of many pairs, with a 95 %
// confidence interval, whose upper end must be below the target. For cached lists the interval is about as wide as the
// target, so the time to record a response is also measured in a loop. Takes nine minutes. Traces of one request in ten are
// measured for information, by throughput, beside a process without; their collector does not answer.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Metrics } from '#server/metrics/metrics.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { makeTemporaryFolder, openCatalogue } from './data.ts'
import { load, measureInTurn, median, medianRatio } from './load.ts'
import { makeMix, pickSequence } from './mix.ts'
import { type SlicePair, startInstrumentedSite } from './processes.ts'
import { printReport, type ReportRow } from './report.ts'

const MAX_PERCENT = 1
const WARM_UP_SECONDS = 5
/** Includes the iteration of the event loop in which each slice ends. */
const SECONDS_PER_PAIR = 0.41
const SPARE_SECONDS = 8
/** The 97.5 % quantile of the normal distribution, for the sign test. */
const QUANTILE = 1.96

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    scripts: { type: 'string', default: '100000' },
    data: { type: 'string' },
  },
})
const { pairs, rounds } = values.quick ? { pairs: 25, rounds: 3 } : { pairs: 600, rounds: 7 }
const scripts = Number(values.scripts)
const folder = await makeTemporaryFolder()
const dataDir = path.join(values.data ? path.resolve(values.data) : folder, String(scripts))
const database = await openCatalogue(dataDir, scripts)
const paths = pickSequence(makeMix(scripts, 5), 9)
const rows: ReportRow[] = []

/** Median of the extra cost in percent, and the order statistics around it that include the true one in 95 % of cases. */
function describeCost(measured: SlicePair[]): { median: number; from: number; to: number } {
  const percents = measured.map((pair) => (pair.with / pair.without - 1) * 100).toSorted((a, b) => a - b)
  const middle = percents.length / 2
  const reach = (QUANTILE * Math.sqrt(percents.length)) / 2
  const pick = (rank: number) => Number((percents[Math.round(rank)] ?? NaN).toFixed(2))
  return { median: Number(median(percents).toFixed(2)), from: pick(middle - reach - 1), to: pick(middle + reach) }
}

const RECORDS = 20_000_000

/** Nanoseconds to record one response, in a loop: less than on a site, where other work evicts its data from the CPU's caches. */
function measureRecording(): number {
  const metrics = new Metrics()
  const record = (count: number) => {
    const started = performance.now()
    for (let i = 0; i < count; i++)
      metrics.recordResponse('GET', i % 4 === 0 ? '/*' : '/api/scripts', i % 8 === 0 ? 304 : 200, (i % 64) / 20_000)
    return ((performance.now() - started) * 1e6) / count
  }
  record(RECORDS / 10)
  return record(RECORDS)
}

const recording = measureRecording()

async function compareMetrics(name: string, shared: Record<string, string>): Promise<void> {
  const site = await startInstrumentedSite({ ...shared, METRICS_PORT: String(await findFreePort()) })
  try {
    const seconds = WARM_UP_SECONDS + Math.ceil(pairs * SECONDS_PER_PAIR) + SPARE_SECONDS
    const loading = load({ origin: site.origin, paths, folder, seconds, warmUpSeconds: 0 })
    await sleep(WARM_UP_SECONDS * 1000)
    const measured = await site.compareMetrics(pairs)
    const { perSecond } = await loading
    const cost = describeCost(measured)
    const cpu = median(measured.map((pair) => pair.without))
    rows.push(
      { name: `${name}: per second`, measured: Math.round(perSecond) },
      {
        name: `${name}: CPU time per response without metrics, µs`,
        measured: Number(cpu.toFixed(1)),
      },
      { name: `${name}: time to record a response, ns`, measured: Math.round(recording) },
      {
        name: `${name}: the same ÷ CPU time per response, %`,
        measured: Number((recording / cpu / 10).toFixed(2)),
        max: MAX_PERCENT,
      },
      { name: `${name}: cost of metrics, %`, measured: cost.median },
      { name: `${name}: the same, lower end of the interval`, measured: cost.from },
      { name: `${name}: the same, upper end of the interval`, measured: cost.to, max: MAX_PERCENT },
    )
  } finally {
    await site.stop()
  }
}

async function compareTraces(name: string, shared: Record<string, string>): Promise<void> {
  const sites = {
    without: await startInstrumentedSite(shared),
    traces: await startInstrumentedSite({
      ...shared,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    }),
  }
  try {
    const { without, traces } = await measureInTurn(sites, { paths, folder, seconds: 1, rounds })
    const ratio = Number(medianRatio(traces, without).toFixed(2))
    rows.push({ name: `${name}: with traces of one request in ten ÷ without`, measured: ratio })
  } finally {
    for (const site of Object.values(sites)) await site.stop()
  }
}

try {
  for (const [name, env] of Object.entries({ 'cached lists': {}, 'list mix': { LIST_CACHE_MB: '0' } })) {
    const shared = { DATABASE_URL: database.url, DATA_DIR: dataDir, WRITES: 'off', ...env }
    await compareMetrics(name, shared)
    await compareTraces(name, shared)
  }
  printReport(rows)
} finally {
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
