// npm run bench metrics [-- --quick] [--scripts 100000] [--data DIR]
// Lists per second with METRICS_PORT set against without, in alternating rounds of the same load, cached and not. Traces of
// one request in ten are measured for information; their collector does not answer.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeTemporaryFolder, openCatalogue } from './data.ts'
import { measureInTurn, medianRatio } from './load.ts'
import { makeMix, pickSequence } from './mix.ts'
import { freePort, startInstrumentedSite } from './processes.ts'
import { printReport, type ReportRow } from './report.ts'

const MIN_RATIO = 0.99

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    scripts: { type: 'string', default: '100000' },
    data: { type: 'string' },
  },
})
const { seconds, rounds } = values.quick ? { seconds: 1, rounds: 5 } : { seconds: 2, rounds: 25 }
const scripts = Number(values.scripts)
const folder = await makeTemporaryFolder()
const dataDir = path.join(values.data ? path.resolve(values.data) : folder, String(scripts))
const database = await openCatalogue(dataDir, scripts)
const paths = pickSequence(makeMix(scripts, 5), 9)
const rows: ReportRow[] = []

async function compare(name: string, env: Record<string, string>): Promise<void> {
  const shared = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...env }
  const sites = {
    without: await startInstrumentedSite(shared),
    metrics: await startInstrumentedSite({ ...shared, METRICS_PORT: String(await freePort()) }),
    traces: await startInstrumentedSite({
      ...shared,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    }),
  }
  try {
    const { without, metrics, traces } = await measureInTurn(sites, { paths, folder, seconds, rounds })
    const ratio = (one: typeof metrics) => Number(medianRatio(one, without).toFixed(3))
    rows.push(
      { name: `${name}: per second without metrics`, measured: without.perSecond },
      { name: `${name}: with metrics ÷ without`, measured: ratio(metrics), min: MIN_RATIO },
      { name: `${name}: CPU time per response, µs`, measured: without.cpu },
      { name: `${name}: the same with metrics, µs`, measured: metrics.cpu },
      { name: `${name}: with traces of one request in ten ÷ without`, measured: ratio(traces) },
    )
  } finally {
    for (const site of Object.values(sites)) await site.stop()
  }
}

try {
  await compare('cached lists', {})
  await compare('list mix', { LIST_CACHE_MB: '0' })
  printReport(rows)
} finally {
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
