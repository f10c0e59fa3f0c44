// Runs hostile scripts and prints the verdicts: node bench/behavior/hostile.ts [COUNT] [SEED]
import fc from 'fast-check'
import { Sandbox } from '../../packages/luau-behavior/src/sandbox/sandbox.ts'
import { hasEscaped, hostileScripts } from '../../packages/luau-behavior/test/hostile-scripts.ts'

const [count = 10_000, seed = 1] = process.argv.slice(2).map(Number)
const CONCURRENCY = 2
const sandbox = new Sandbox({ concurrency: CONCURRENCY })
const scripts = fc.sample(hostileScripts, { numRuns: count, seed })
const verdicts = new Map<string, number>()
const milliseconds: number[] = []
let escapes = 0
let next = 0

async function work(): Promise<void> {
  for (let index = next++; index < scripts.length; index = next++) {
    const startedAt = performance.now()
    const { capabilities, opaque } = await sandbox.run(scripts[index] ?? '')
    milliseconds.push(performance.now() - startedAt)
    if (hasEscaped(capabilities)) {
      escapes++
      console.log('ESCAPED', JSON.stringify(scripts[index]))
    }
    const stopped = opaque.find(({ reason }) => /^The (?:run|script) /.test(reason))
    const verdict = stopped?.reason ?? 'The run ended by itself'
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, work))
await sandbox.close()
milliseconds.sort((a, b) => a - b)
const quantile = (share: number): number => Math.round(milliseconds[Math.floor(share * (milliseconds.length - 1))] ?? 0)
console.log(`${scripts.length} scripts, seed ${seed}, ${milliseconds.length} verdicts, ${escapes} escapes`)
for (const [verdict, times] of [...verdicts].toSorted(([, a], [, b]) => b - a)) console.log(`${times}\t${verdict}`)
console.log(`milliseconds: p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, max ${quantile(1)}`)
