// npm run bench soak [-- --requests 300000] [--scripts 100000] [--data DIR]
// Memory of the site over many requests of all kinds, half of them for URLs that are requested only once, with ten writes
// per second.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeTemporaryFolder, openCatalogue } from './data.ts'
import { load } from './load.ts'
import { makeMix, pickSequence } from './mix.ts'
import { startInstrumentedSite } from './processes.ts'

const PARTS = 10
const SECONDS = 5
const UNIQUE_URLS = 10_000

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '300000' },
    scripts: { type: 'string', default: '100000' },
    data: { type: 'string' },
  },
})
const [requests, scripts] = [Number(values.requests), Number(values.scripts)]
const folder = await makeTemporaryFolder()
const dataDir = path.join(values.data ? path.resolve(values.data) : folder, String(scripts))
const database = await openCatalogue(dataDir, scripts)
const site = await startInstrumentedSite({ DATABASE_URL: database.url, DATA_DIR: dataDir, WEB: 'built' })
const repeated = pickSequence(makeMix(scripts, 5), 9).slice(0, UNIQUE_URLS)
const megabytes = (bytes: number) => Math.round(bytes / 1e6)

const uniqueUrls = (run: number) =>
  Array.from({ length: UNIQUE_URLS }, (_, i) => {
    const number = run * UNIQUE_URLS + i
    const kinds = [`/api/scripts?search=q${number}`, `/?search=q${number}`, `/api/script-facets?search=q${number}`]
    return kinds[i % kinds.length] ?? '/'
  })

const rows: Record<string, number>[] = []
let sent = 0
try {
  for (let run = 0; sent < requests;) {
    const sentBefore = sent
    const unique = uniqueUrls(run)
    const paths = repeated.flatMap((url, i) => [url, unique[i] ?? '/'])
    while (sent - sentBefore < requests / PARTS) {
      sent += (await load({ origin: site.origin, paths, folder, seconds: SECONDS })).allRequests
      run++
    }
    const { rss, heapUsed, arrayBuffers } = await site.measureMemory()
    rows.push({
      requests: sent,
      'process, MB': megabytes(rss),
      'heap, MB': megabytes(heapUsed),
      'buffers, MB': megabytes(arrayBuffers),
    })
    console.log(`${sent} of ${requests} requests`)
  }
} finally {
  await site.stop()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
console.table(rows)
