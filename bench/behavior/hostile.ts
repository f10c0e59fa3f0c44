// Runs hostile scripts and prints the verdicts:
// npm run bench behavior-hostile [-- --count 10000] [--seed 1] [--bombs 0.1] [--run-ms 300] [--state FILE]
// One script in ten has a bomb, which takes all time that it gets: --run-ms milliseconds of processor time instead of
// 3,000, so that ten thousand scripts are done within half an hour on two processors. All else is as on the site. With
// --state, a run that was stopped continues from there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { Sandbox } from '../../packages/luau-behavior/src/sandbox/sandbox.ts'
import { bombScripts, hasEscaped, quickScripts } from '../../packages/luau-behavior/test/hostile-scripts.ts'

const CONCURRENCY = 2
const BATCH = 100

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    bombs: { type: 'string', default: '0.1' },
    'run-ms': { type: 'string', default: '300' },
    state: { type: 'string' },
  },
})
const settings = {
  count: Number(values.count),
  seed: Number(values.seed),
  bombs: Number(values.bombs),
  runMs: Number(values['run-ms']),
}

interface Progress {
  settings: typeof settings
  done: number
  escapes: number
  verdicts: Record<string, number>
  milliseconds: number[]
  seconds: number
}

const stored =
  values.state && existsSync(values.state) ? (JSON.parse(readFileSync(values.state, 'utf8')) as Progress) : undefined
if (stored && JSON.stringify(stored.settings) !== JSON.stringify(settings))
  throw new Error(`${values.state} belongs to a run with other settings.`)
const progress: Progress = stored ?? { settings, done: 0, escapes: 0, verdicts: {}, milliseconds: [], seconds: 0 }

const sandbox = new Sandbox({ concurrency: CONCURRENCY, runMs: settings.runMs })
const [quick, bombs] = [quickScripts, bombScripts].map((scripts) =>
  fc.sample(scripts, { numRuns: settings.count, seed: settings.seed }),
)
const every = Math.round(1 / settings.bombs)
const scriptAt = (index: number): string => (index % every === 0 ? bombs : quick)?.[index] ?? ''

async function runOne(code: string): Promise<void> {
  const startedAt = performance.now()
  const { capabilities, opaque } = await sandbox.run(code)
  progress.milliseconds.push(Math.round(performance.now() - startedAt))
  if (hasEscaped(capabilities)) {
    progress.escapes++
    console.log('ESCAPED', JSON.stringify(code))
  }
  const stopped = opaque.find(({ reason }) => /^The (?:run|script) /.test(reason))
  const verdict = stopped?.reason ?? 'The run ended by itself'
  progress.verdicts[verdict] = (progress.verdicts[verdict] ?? 0) + 1
}

while (progress.done < settings.count) {
  const startedAt = performance.now()
  const end = Math.min(progress.done + BATCH, settings.count)
  await Promise.all(Array.from({ length: end - progress.done }, (_, index) => runOne(scriptAt(progress.done + index))))
  progress.done = end
  progress.seconds += (performance.now() - startedAt) / 1000
  if (values.state) writeFileSync(values.state, JSON.stringify(progress))
  console.log(`${end} of ${settings.count} in ${Math.round(progress.seconds)} s, ${progress.escapes} escapes`)
}
await sandbox.close()

const times = progress.milliseconds.toSorted((a, b) => a - b)
const minutes = (progress.seconds / 60).toFixed(1)
console.log(
  `${settings.count} scripts, seed ${settings.seed}, ${times.length} verdicts, ${progress.escapes} escapes, ${minutes} minutes`,
)
for (const [verdict, count] of Object.entries(progress.verdicts).toSorted(([, a], [, b]) => b - a))
  console.log(`${count}\t${verdict}`)
