// npm run drill -- [--writes 50] [--rounds 5] failover|replica|partition|pgbouncer|full-disk|all: faults of a PostgreSQL
// cluster with Patroni, under a site that is written to and read. docs/operations.md has the results.
import { parseArgs } from 'node:util'
import { formatResults, type PartResult, Report } from '#lab/attack/report.ts'
import { findPrograms } from './programs.ts'
import { DRILLS } from './drills.ts'

const { values, positionals } = parseArgs({
  options: { writes: { type: 'string', default: '50' }, rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const writesPerSecond = Number(values.writes)
const rounds = Number(values.rounds)
const names = positionals.includes('all') ? Object.keys(DRILLS) : positionals
const isValid = writesPerSecond > 0 && Number.isSafeInteger(rounds) && rounds > 0
if (names.length === 0 || !isValid || names.some((name) => !(name in DRILLS))) {
  console.error(`Usage: npm run drill -- [--writes PER_SECOND] [--rounds COUNT] ${Object.keys(DRILLS).join('|')}|all`)
  process.exit(2)
}
try {
  findPrograms()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

const results: PartResult[] = []
for (const name of names) {
  const started = performance.now()
  const elapsed = () => `${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s`
  console.log(`Drill ${name}`)
  const print = (text: string) => console.log(text.includes('\n') ? text : `${elapsed()}  ${text}`)
  const report = new Report()
  try {
    await DRILLS[name]?.(report, { writesPerSecond, rounds, print })
  } catch (error) {
    report.check(false, () => (error as Error).message)
  }
  results.push({ name, report, seconds: (performance.now() - started) / 1000 })
}
console.log(`\n${formatResults(results)}`)
process.exit(results.some(({ report }) => report.verdict === 'failed') ? 1 : 0)
