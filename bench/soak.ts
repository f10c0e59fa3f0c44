// npm run bench soak [-- --requests 300000] [--scripts 100000] [--data DIR]: what the site's memory does over many requests of
// all kinds, half of them for addresses that never come again, with ten writes a second.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openData } from './data.ts'
import { makeFolder } from './folder.ts'
import { makeMix, pickSequence } from './mix.ts'
import { startApi } from './processes.ts'
import { load } from './wrk.ts'

const PARTS = 10
const SECONDS = 5
/** Of a part's addresses these never come again. */
const ONCE = 10_000

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '300000' },
    scripts: { type: 'string', default: '100000' },
    data: { type: 'string' },
  },
})
const [requests, scripts] = [Number(values.requests), Number(values.scripts)]
const folder = await makeFolder()
const dataDir = path.join(values.data ? path.resolve(values.data) : folder, String(scripts))
const data = await openData(dataDir, scripts)
const site = await startApi({ DATABASE_URL: data.url, DATA_DIR: dataDir, WEB: 'built' })
const often = pickSequence(makeMix(scripts, 5), 9).slice(0, ONCE)
const megabytes = (bytes: number) => Math.round(bytes / 1e6)

const once = (part: number) =>
  Array.from({ length: ONCE }, (_, at) => {
    const number = part * ONCE + at
    const kinds = [`/api/scripts?search=q${number}`, `/?search=q${number}`, `/api/script-facets?search=q${number}`]
    return kinds[at % kinds.length] ?? '/'
  })

const rows: Record<string, number>[] = []
let asked = 0
try {
  for (let part = 0; asked < requests;) {
    const from = asked
    const unique = once(part)
    const addresses = often.flatMap((address, at) => [address, unique[at] ?? '/'])
    while (asked - from < requests / PARTS) {
      asked += (await load({ origin: site.origin, addresses, folder, seconds: SECONDS })).allRequests
      part++
    }
    const { rss, heapUsed, arrayBuffers } = await site.measureMemory()
    const at = { requests: asked, 'process, MB': megabytes(rss), 'heap, MB': megabytes(heapUsed) }
    rows.push({ ...at, 'buffers, MB': megabytes(arrayBuffers) })
    console.log(`${asked} of ${requests} requests`)
  }
} finally {
  await site.stop()
  await data.stop()
  await rm(folder, { recursive: true, force: true })
}
console.table(rows)
