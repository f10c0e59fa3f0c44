import os from 'node:os'
import type { CapabilityId } from '#contract/behavior-names.ts'
import type { Case } from './samples.ts'
import type { Preset } from './prometheus.ts'
import { type Counts, count, countByCapability, kappa, precision, recall, type Scored } from './score.ts'
import type { RealScript } from './set-a.ts'

export interface Timing {
  bytes: number
  /** Processor time of the thread that reads, and of all threads. */
  ms: number
  allMs: number
}

type ScoredReal = Scored & { script: RealScript; isLabeled: boolean }

const SERIOUS: readonly CapabilityId[] = [
  'net.webhook',
  'net.exfiltration',
  'code.remote',
  'code.persist',
  'user.key',
  'client.hook',
  'shape.obfuscated',
]
const STRICT: ReadonlySet<CapabilityId> = new Set(['net.webhook', 'code.remote', 'user.purchase'])
const MAX_NAMES = 12

const share = (value: number): string => value.toFixed(3)
const percent = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${((part / whole) * 100).toFixed(1)} %`
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
const names = (all: string[]): string =>
  all.length <= MAX_NAMES ? all.join('; ') : `${all.slice(0, MAX_NAMES).join('; ')}; and ${all.length - MAX_NAMES} more`
const precisionOf = (counts: Counts): string =>
  counts.right + counts.wrong === 0 ? 'none' : ratio(precision(counts), counts)
const ratio = (value: number, { right, wrong, missed }: Counts): string =>
  `${share(value)} (${right}, ${wrong}, ${missed})`

function capabilityTable(scripts: readonly Scored[]): string {
  const rows = countByCapability(scripts)
    .filter(({ right, wrong, missed }) => right + wrong + missed > 0)
    .map((row) => [
      `\`${row.id}\``,
      String(row.right),
      String(row.wrong),
      String(row.missed),
      names(row.wrongIn),
      names(row.missedIn),
    ])
  return table(['capability', 'right', 'wrong', 'missed', 'wrong in', 'missed in'], rows)
}

const having = (scripts: readonly Scored[], ids: readonly CapabilityId[]): Scored[] =>
  scripts.filter(({ found }) => found.some(({ id }) => ids.includes(id)))

function describeLabels(scripts: readonly ScoredReal[]): string {
  const pairs = scripts.flatMap(({ script: { first, second } }) => (first && second ? [[first, second] as const] : []))
  if (pairs.length > 0) {
    return `Two passes labeled ${pairs.length} scripts without seeing the tool; their agreement is κ = ${share(kappa(pairs))}.`
  }
  const labeled = scripts.filter(({ isLabeled }) => isLabeled).length
  return `${labeled} of ${scripts.length} scripts are labeled, in one pass by the author of the analyzer before its findings were read.`
}

/** Set A: the labeled scripts, each half for itself, and all benign ones. */
export function describeSetA(scripts: readonly ScoredReal[]): string {
  const halves = (['tuning', 'held-out'] as const).flatMap((half) => {
    const own = scripts.filter(({ script, isLabeled }) => isLabeled && script.half === half)
    if (own.length === 0) return []
    const readable = own.filter(({ labels }) => !labels.includes('shape.obfuscated'))
    const certain = count(own, (_, certainty) => certainty !== 'likely')
    const strict = count(own, (id, certainty) => certainty !== 'likely' && STRICT.has(id))
    const likely = count(own, (_, certainty) => certainty === 'likely')
    const all = count(readable)
    const rows = [
      ['scripts', String(own.length)],
      ['precision, certainty `code`', precisionOf(certain)],
      ['precision of webhook, remote code, purchase', precisionOf(strict)],
      ['precision, certainty `likely`', precisionOf(likely)],
      ['recall, readable scripts', ratio(recall(all), all)],
    ]
    return [`### The ${half} half\n\n${table(['metric', 'result'], rows)}\n\n${capabilityTable(own)}\n`]
  })
  const benign = scripts.filter(({ script }) => script.stratum === 'benign')
  const serious = having(benign, SERIOUS)
  const obfuscated = having(benign, ['shape.obfuscated'])
  const rows = [
    ['a serious finding', percent(serious.length, benign.length), names(serious.map(({ name }) => name))],
    ['called obfuscated', percent(obfuscated.length, benign.length), names(obfuscated.map(({ name }) => name))],
  ]
  const all = `### All ${benign.length} benign scripts\n\n${table(['', 'share', 'scripts'], rows)}\n`
  return `## Set A: real scripts\n\n${describeLabels(scripts)} In brackets: right, wrong, missed.\n\n${[...halves, all].join('\n')}`
}

function evasionTable(cases: readonly Case[], scored: readonly Scored[]): string {
  const groups = [...Map.groupBy(cases.keys(), (index) => cases[index]?.evasion ?? '')]
  const rows = groups.map(([evasion, indexes]) => [evasion, indexes.flatMap((index) => scored[index] ?? [])] as const)
  return table(
    ['evasion', 'cases', 'recall', 'precision'],
    [...rows, ['**all**', scored] as const].map(([evasion, own]) => {
      const counts = count(own)
      return [evasion, String(own.length), ratio(recall(counts), counts), ratio(precision(counts), counts)]
    }),
  )
}

export function describeMadeCases(cases: readonly Case[], scored: readonly Scored[]): string {
  const tables = `${evasionTable(cases, scored)}\n\n${capabilityTable(scored)}`
  return `## Set B: made cases, by reading alone\n\nIn brackets: right, wrong, missed.\n\n${tables}\n`
}

export function describeRuns(cases: readonly Case[], scored: readonly Scored[], every: number): string {
  const tables = `${evasionTable(cases, scored)}\n\n${capabilityTable(scored)}`
  return `## Set B: made cases, by reading and a run\n\n${sampleOf(every)}${tables}\n`
}

const sampleOf = (every: number): string =>
  every === 1 ? '' : `Each ${every}th case, as \`--every ${every}\` takes them.\n\n`

const isBehavior = (id: CapabilityId): boolean => !id.startsWith('shape.') && id !== 'needs.executor'

export function describeObfuscated(
  results: readonly { preset: Preset; reading: readonly Scored[]; running: readonly Scored[] | undefined }[],
  every: number,
): string {
  const rows = results.map(({ preset, reading, running }) => {
    const one = count(reading, isBehavior)
    const two = running && count(running, isBehavior)
    const called = reading.filter(({ found }) => found.some(({ id }) => id === 'shape.obfuscated')).length
    return [
      preset,
      String(reading.length),
      ratio(recall(one), one),
      two ? ratio(recall(two), two) : 'not run',
      percent(called, reading.length),
    ]
  })
  const head = ['preset', 'cases', 'recall, reading', 'recall with a run', 'called obfuscated']
  const tables = results.map(
    ({ preset, reading, running }) => `### ${preset}\n\n${capabilityTable(running ?? reading)}\n`,
  )
  const strong = `What the preset Strong writes stops at once in Roblox: it tests for hooks of Lua 5.1's debug library, which Luau does
not have. "Strong for Luau" is the same preset without them.`
  return `## Set C: made cases through Prometheus\n\n${sampleOf(every)}${strong}\n\n${table(head, rows)}\n\n${tables.join('\n')}`
}

const quantiles = (times: number[]): string[] => {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 0.99, 1].map(
    (part) => `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)} ms`,
  )
}

export function describeTimes(timings: readonly Timing[]): string {
  const groups: [name: string, test: (timing: Timing) => boolean][] = [
    ['up to 100 KB', ({ bytes }) => bytes <= 102_400],
    ['1 MiB, of several scripts', ({ bytes }) => bytes > 102_400],
  ]
  const rows = groups.flatMap(([name, test]) => {
    const own = timings.filter(test)
    const [times, all] = [quantiles(own.map(({ ms }) => ms)), quantiles(own.map(({ allMs }) => allMs))]
    return own.length === 0 ? [] : [[name, String(own.length), ...times, ...all]]
  })
  const load = `${os.availableParallelism()} processors, load average ${(os.loadavg()[0] ?? 0).toFixed(1)}`
  return `## Processor time of reading\n\nMeasured with ${load}.\n\n${table(['size', 'scripts', 'p50', 'p99', 'maximum', 'p50, all threads', 'p99', 'maximum'], rows)}\n`
}
