// Measures how long a card takes after publishing: npm run bench behavior-cards [-- --scripts 60] [--seconds 3]
// A site on a database of its own gets a script every few seconds, from 1 KB to 500 KB, and is asked for the card until the
// findings of reading are there, and until the run is over. The goals (p99, on an idle machine) are 5 s and 15 s.
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Behavior } from '#contract/behavior.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openPool } from '#server/db/pool.ts'
import { signIn } from '#tests/support/factories.ts'
import { makeTemporaryFolder, openCatalogue } from '../data.ts'
import { makeCases } from './cases.ts'

const CATALOGUE = 100
const KILOBYTES = [1, 1, 1, 4, 4, 20, 20, 60, 150, 500]
const POLL_MS = 50

const { values } = parseArgs({
  options: { scripts: { type: 'string', default: '60' }, seconds: { type: 'string', default: '3' } },
})
const [count, intervalMs] = [Number(values.scripts), Number(values.seconds) * 1000]

function makeScript(index: number): string {
  const cases = makeCases().filter(({ evasion }) => evasion === 'plain' || evasion === 'table field')
  const bytes = (KILOBYTES[index % KILOBYTES.length] ?? 1) * 1000
  let code = `print(game:HttpGet("https://example.com/${index}"))\n`
  for (let next = index; code.length < bytes; next++) code += `do\n${cases[next % cases.length]?.code ?? ''}end\n`
  return code
}

const folder = await makeTemporaryFolder()
const database = await openCatalogue(path.join(folder, 'site'), CATALOGUE)
const config = readConfig({ DATABASE_URL: database.url, DATA_DIR: folder, RATE_LIMIT: 'off' })
const pool = openPool(database.url)
const { app, db } = await buildApp({ config, pool, log: false, web: 'none' })
const headers = await signIn(db)
const readTimes: number[] = []
const runTimes: number[] = []

/** Milliseconds from publishing until the findings of reading are there, and until the card is ready. */
async function measure(index: number): Promise<void> {
  const script_content = makeScript(index)
  const startedAt = performance.now()
  const payload = { title: `Script ${index}`, description: 'A script.', script_content }
  const made = await app.inject({ method: 'POST', url: '/api/scripts', headers, payload })
  if (made.statusCode !== 201) throw new Error(made.payload)
  const { id } = made.json<{ script: { id: number } }>().script
  const since = () => performance.now() - startedAt
  for (let isRead = false; ; await setTimeout(POLL_MS)) {
    const response = await app.inject({ url: `/api/script-behavior?id=${id}` })
    const { status, capabilities } = response.json<{ behavior: Behavior }>().behavior
    if (!isRead && capabilities.length > 0) {
      isRead = true
      readTimes.push(since())
    }
    if (status !== 'pending') break
  }
  runTimes.push(since())
}

const measuring: Promise<void>[] = []
for (let index = 0; index < count; index++) {
  measuring.push(measure(index))
  await setTimeout(intervalMs)
}
await Promise.all(measuring)
await app.close()
await pool.end()
await database.stop()
await rm(folder, { recursive: true, force: true })

const describe = (times: number[]): string => {
  const sorted = times.toSorted((a, b) => a - b)
  const quantile = (share: number) => ((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) / 1000).toFixed(2)
  return `p50 ${quantile(0.5)} s, p99 ${quantile(0.99)} s, maximum ${quantile(1)} s`
}
console.log(`${count} scripts, one in ${values.seconds} s, load average ${(os.loadavg()[0] ?? 0).toFixed(1)}`)
console.log(`read: ${describe(readTimes)}`)
console.log(`run: ${describe(runTimes)}`)
