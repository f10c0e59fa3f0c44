// Processor time of the static analysis: node bench/behavior/throughput.ts [FOLDER...]. Reads all .lua and .luau files of the
// folders, demo/scripts by default, and prints the core-hours for a million such scripts. The goal is less than 8.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { analyze } from '@scriptyard/luau-behavior'

const DEFAULT_FOLDER = path.resolve(import.meta.dirname, '../../demo/scripts')
const WARM_UP = 50
const SCRIPTS = 1_000_000
const HOUR_MS = 3_600_000

const folders = process.argv.slice(2)
const files = (folders.length > 0 ? folders : [DEFAULT_FOLDER]).flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.luau?$/.test(name))
    .map((name) => path.join(folder, name)),
)
const codes = files.map((file) => readFileSync(file, 'utf8'))
if (codes.length === 0) throw new Error('The folders have no .lua or .luau file.')

for (const code of codes.slice(0, WARM_UP)) analyze(code)
const times = codes
  .map((code) => {
    const before = process.cpuUsage()
    analyze(code)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  .toSorted((a, b) => a - b)

const total = times.reduce((sum, time) => sum + time, 0)
const mean = total / times.length
const quantile = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0
const kilobytes = codes.reduce((sum, code) => sum + Buffer.byteLength(code), 0) / 1000
console.log(`${codes.length} scripts of ${(kilobytes / codes.length).toFixed(1)} KB on average`)
console.log(
  `CPU time per script: mean ${mean.toFixed(2)} ms, p50 ${quantile(0.5).toFixed(2)} ms, p99 ${quantile(0.99).toFixed(2)} ms`,
)
console.log(`A million scripts: ${((mean * SCRIPTS) / HOUR_MS).toFixed(2)} core-hours`)
