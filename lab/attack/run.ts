// npm run attack -- [--seed 1] [--quick] [--seconds 10] [PART ...]: attacks sites of its own and prints the results.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { PARTS, runPart } from './parts.ts'
import { formatResults, type PartResult } from './report.ts'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, quick: { type: 'boolean', default: false }, seconds: { type: 'string' } },
  allowPositionals: true,
})
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
const seconds = values.seconds === undefined ? undefined : Number(values.seconds)
const names = positionals.length > 0 ? positionals : Object.keys(PARTS)
const unknown = names.filter((name) => !(name in PARTS))
if (unknown.length > 0 || !Number.isSafeInteger(seed) || seconds === 0 || Number.isNaN(seconds)) {
  console.error(
    `Usage: npm run attack -- [--seed NUMBER] [--quick] [--seconds NUMBER] [${Object.keys(PARTS).join(' | ')}] ...`,
  )
  process.exit(2)
}

console.log(`Attacking with seed ${seed}.`)
const results: PartResult[] = []
for (const name of names) {
  const result = await runPart(name, { seed, isQuick: values.quick, ...(seconds === undefined ? {} : { seconds }) })
  console.log(`${name}: ${result.report.verdict} after ${Math.round(result.seconds)} s`)
  results.push(result)
}
console.log(`\n${formatResults(results)}`)
process.exit(results.some(({ report }) => report.verdict === 'failed') ? 1 : 0)
