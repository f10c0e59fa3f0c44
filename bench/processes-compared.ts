import type { Data } from './data.ts'
import { makeMix, pickSequence } from './mix.ts'
import { startSite } from './processes.ts'
import { load } from './wrk.ts'

interface Options {
  data: Data
  dataDir: string
  folder: string
  scripts: number
  seconds: number
}

const ROUNDS = 3
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[1] ?? 0

/** The same mix of lists on one process and on two, in turn: answers a second. */
export async function compareProcesses({ data, dataDir, folder, scripts, seconds }: Options) {
  const addresses = pickSequence(makeMix(scripts, 5), 9)
  const measured = { one: [] as number[], two: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, workers] of [
      ['one', '1'],
      ['two', '2'],
    ] as const) {
      const site = await startSite({ DATABASE_URL: data.url, DATA_DIR: dataDir, WORKERS: workers })
      const { perSecond } = await load({ origin: site.origin, addresses, folder, seconds })
      measured[name].push(Math.round(perSecond))
      await site.stop()
    }
  }
  return { one: median(measured.one), two: median(measured.two) }
}
