// npm run bench behavior-lists [-- --scripts 10000] [--data DIR]
// Latency of lists while hostile scripts are analyzed beside the site: each takes all the time and memory that it gets.
import fc from 'fast-check'
import type { Behavior } from '#contract/behavior.ts'
import { openDatabase } from '#server/db/database.ts'
import { signIn } from '#tests/support/factories.ts'
import { bombScripts } from '../../packages/luau-behavior/test/hostile-scripts.ts'
import { openMeasuredLists } from '../beside-lists.ts'
import { median } from '../load.ts'
import { printReport } from '../report.ts'

const SEED = 1
const HOSTILE_SCRIPTS = 40
/** Measurements without an analysis, before and after. */
const QUIET_WINDOWS = 5

const site = await openMeasuredLists({ rounds: 1 })
const { authorization } = await signIn(openDatabase(site.pool))
const measure = () => site.measure({ warmUpSeconds: 0 })

async function measureQuiet(): Promise<number[]> {
  const windows: number[] = []
  for (let i = 0; i < QUIET_WINDOWS; i++) windows.push(await measure())
  return windows
}

async function publish(code: string, index: number): Promise<number> {
  const response = await fetch(`${site.origin}/api/scripts`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ title: `Script ${index}`, description: 'A script.', script_content: code }),
  })
  if (response.status !== 201) throw new Error(await response.text())
  const { script } = (await response.json()) as { script: { id: number } }
  return script.id
}

async function readStatus(id: number): Promise<Behavior['status']> {
  const response = await fetch(`${site.origin}/api/script-behavior?id=${id}`)
  const { behavior } = (await response.json()) as { behavior: Behavior }
  return behavior.status
}

const during: number[] = []
let quiet: number[] = []
let [pending, seconds] = [HOSTILE_SCRIPTS, 0]
try {
  await measure()
  quiet = await measureQuiet()
  const started = performance.now()
  const ids: number[] = []
  for (const [index, code] of fc.sample(bombScripts, { numRuns: HOSTILE_SCRIPTS, seed: SEED }).entries())
    ids.push(await publish(code, index))
  while (pending > 0) {
    const p99 = await measure()
    const statuses = await Promise.all(ids.map((id) => readStatus(id)))
    pending = statuses.filter((status) => status === 'pending').length
    // The last measurement may have seen the queue end.
    if (pending > 0) during.push(p99)
    console.log(`${pending} of ${HOSTILE_SCRIPTS} scripts are waiting, list p99 ${p99.toFixed(2)} ms`)
  }
  seconds = (performance.now() - started) / 1000
  quiet.push(...(await measureQuiet()))
} finally {
  await site.close()
}
const ratio = median(during) / median(quiet)
printReport([
  { name: 'list p99 without analyses, ms', measured: Number(median(quiet).toFixed(2)) },
  { name: 'list p99 while hostile scripts are analyzed ÷ without', measured: Number(ratio.toFixed(2)), max: 1.5 },
  { name: 'hostile scripts without a verdict', measured: pending, max: 0 },
  { name: `seconds until ${HOSTILE_SCRIPTS} hostile scripts have a verdict`, measured: Math.round(seconds) },
])
