// npm run bench [-- --quick] [--scripts 100000] [--data DIR]: the lists against bare node:http that sends the same bytes and
// against SQL, at 100,000 and at 1,000,000 scripts, under ten writes a second, in one run on one machine. Data is made in
// a throwaway folder, or kept below --data for the next time.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openData } from './data.ts'
import { makeFolder } from './folder.ts'
import { type Lists, measureLists } from './lists.ts'
import { compareProcesses } from './processes-compared.ts'
import { printRows, processRowsOf, type Row, rowsOf } from './table.ts'

const QUICK = { sizes: [10_000], seconds: 1, rounds: 3, starts: 1, comparedSeconds: 2 }
const WHOLE = { sizes: [100_000, 1_000_000], seconds: 2, rounds: 9, starts: 3, comparedSeconds: 5 }
const LARGE = 1_000_000

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, scripts: { type: 'string' }, data: { type: 'string' } },
})
const { sizes, ...often } = values.quick ? QUICK : WHOLE
const folder = await makeFolder()
const rows: Row[] = []
const details: Record<string, unknown> = {}
const speeds = new Map<number, Lists>()
try {
  for (const scripts of values.scripts ? [Number(values.scripts)] : sizes) {
    const size = scripts.toLocaleString('en')
    const dataDir = path.join(values.data ? path.resolve(values.data) : folder, String(scripts))
    const data = await openData(dataDir, scripts)
    const how = { data, dataDir, folder, scripts, ...often }
    try {
      const lists = await measureLists(how)
      const processes = await compareProcesses(how)
      speeds.set(scripts, lists)
      rows.push(...rowsOf(lists, size, scripts >= LARGE))
      if (processes) rows.push(...processRowsOf(processes, size))
      details[size] = { ...lists, processes }
      console.log(`${size} scripts, answers of ${lists.meanBytes} bytes`)
      const { list, page } = lists
      console.table(
        {
          ...lists.mix,
          'a kept list': list?.site,
          'the same, ready Buffer': list?.ready,
          'a kept page': page?.site,
          'the page, ready Buffer': page?.ready,
        },
        ['perSecond', 'p50', 'p99', 'cpu'],
      )
      console.table(lists.inside.times)
    } finally {
      await data.stop()
    }
  }
  const [small, large] = [...speeds.values()].map(({ mix }) => mix.lists.perSecond)
  if (small && large) {
    const ratio = Number((large / small).toFixed(2))
    rows.push({ what: 'list mix at 1,000,000 ÷ at 100,000', measured: ratio, atLeast: 0.4 })
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
printRows(rows)
const results = path.resolve(import.meta.dirname, 'results')
await mkdir(results, { recursive: true })
await writeFile(path.join(results, 'latest.json'), `${JSON.stringify({ rows, details }, null, 2)}\n`)
