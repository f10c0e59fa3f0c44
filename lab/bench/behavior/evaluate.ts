// npm run bench behavior [-- --set-a DIR] [--prometheus DIR] [--lua PATH] [--every N] [--skip-runs] [--write]
// Measures `packages/luau-behavior` against labels: real scripts (set A), made cases (B), and made cases through an
// obfuscator (C). Runs and obfuscation take a second each: --every N does them for each Nth case only; N should have no
// factor in common with the number of evasions. Set A is not part of this repository: DIR has the scripts as `001.luau`
// and so on, or as `OWNER/NAME/PATH` at the commits in set-a.json. Prometheus (GPL-3.0) is a checkout next to this one.
// --write renews docs/behavior-evaluation.md.
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { analyze, type Card, mergeRun } from '@scriptyard/luau-behavior'
import { Sandbox } from '@scriptyard/luau-behavior/sandbox'
import { makeCases } from './cases.ts'
import type { Case } from './samples.ts'
import { obfuscate, PRESETS, type Preset } from './prometheus.ts'
import {
  describeMadeCases,
  describeObfuscated,
  describeRuns,
  describeSetA,
  describeTimes,
  type Timing,
} from './report.ts'
import type { Scored } from './score.ts'
import { readSetA, type RealScript } from './set-a.ts'

const { values } = parseArgs({
  options: {
    'set-a': { type: 'string' },
    prometheus: { type: 'string' },
    lua: { type: 'string', default: 'lua5.1' },
    every: { type: 'string', default: '1' },
    'skip-runs': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const every = Number(values.every)

const timings: Timing[] = []
const sandbox = values['skip-runs'] ? undefined : new Sandbox({ concurrency: os.availableParallelism() })

function score(name: string, code: string, labels: Scored['labels']): Scored {
  return { name, labels, found: measure(code).capabilities }
}

/** Analyzes a script and records the processor time of this thread, and of all threads, some of which collect garbage. */
function measure(code: string): Card {
  const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()]
  const card = analyze(code)
  const [own, total] = [process.threadCpuUsage(thread), process.cpuUsage(all)]
  timings.push({
    bytes: Buffer.byteLength(code),
    ms: (own.user + own.system) / 1_000,
    allMs: (total.user + total.system) / 1_000,
  })
  return card
}

const MIB = 1 << 20

/** Scripts of 1 MiB, each of the readable scripts of a kind one after another. */
function joinScripts(scripts: readonly RealScript[]): string[] {
  return [...Map.groupBy(scripts, ({ stratum }) => stratum)].flatMap(([stratum, all]) => {
    if (stratum === 'opaque') return []
    let text = ''
    for (let index = 0; text.length < MIB; index++) {
      const next = `do local function part(...)\n${all[index % all.length]?.code ?? ''}\nend part() end\n`
      if (text.length + next.length > MIB && text.length > MIB / 2) break
      if (isSyntax(next)) text += next
    }
    return [text]
  })
}

const isSyntax = (code: string): boolean => !analyze(code).opaque.some(({ reason }) => reason.includes('word by word'))

async function scoreWithRun({ name, code, labels }: Pick<Case, 'name' | 'code' | 'labels'>): Promise<Scored> {
  const card = analyze(code)
  return { name, labels, found: sandbox ? mergeRun(card, await sandbox.run(code)).capabilities : card.capabilities }
}

/** Results of all cases, with as many runs at the same time as there are processes. */
async function scoreRuns(cases: readonly Pick<Case, 'name' | 'code' | 'labels'>[]): Promise<Scored[] | undefined> {
  return sandbox && (await Promise.all(cases.map(scoreWithRun)))
}

async function measureObfuscated(folder: string, cases: readonly Case[]) {
  const results: { preset: Preset; reading: Scored[]; running: Scored[] | undefined }[] = []
  for (const preset of PRESETS) {
    const obfuscated = cases.flatMap((one) => {
      const code = obfuscate(one.code, { folder, lua: values.lua, preset })
      return code === undefined ? [] : [{ ...one, code }]
    })
    const reading = obfuscated.map(({ name, code, labels }) => score(name, code, labels))
    results.push({ preset, reading, running: await scoreRuns(obfuscated) })
  }
  return results
}

const sections: string[] = []
const real: readonly RealScript[] = values['set-a'] ? readSetA(path.resolve(values['set-a'])) : []
for (const { code } of real.slice(0, 50)) analyze(code)
if (real.length > 0) {
  const scored = real.map((script) => {
    const labels = script.labels ?? script.author
    return { script, isLabeled: labels !== undefined, ...score(script.name, script.code, labels ?? []) }
  })
  sections.push(describeSetA(scored))
}
const cases = makeCases()
const reading = cases.map(({ name, code, labels }) => score(name, code, labels))
sections.push(describeMadeCases(cases, reading))
const sample = cases.filter((_case, index) => index % every === 0)
const ran = await scoreRuns(sample)
if (ran) sections.push(describeRuns(sample, ran, every))
if (values.prometheus) {
  const calls = sample.filter(({ capability }) => capability !== 'none' && !capability.startsWith('shape.'))
  sections.push(describeObfuscated(await measureObfuscated(path.resolve(values.prometheus), calls), every))
}
const ofReal = timings.slice(0, real.length || undefined)
timings.length = 0
for (const code of joinScripts(real)) for (let round = 0; round < 3; round++) measure(code)
sections.push(describeTimes([...ofReal, ...timings]))
await sandbox?.close()

const text = `# Evaluation of the behavior analysis

Generated by \`npm run bench behavior -- --set-a DIR --prometheus DIR --write\`. The sets and their limits are described in
[the README of the benchmark](../lab/bench/behavior/README.md). A finding is right if the script has that label.

${sections.join('\n')}`
if (values.write) {
  const file = new URL('../../../docs/behavior-evaluation.md', import.meta.url)
  writeFileSync(file, `${text.trimEnd()}\n`)
}
console.log(text)
