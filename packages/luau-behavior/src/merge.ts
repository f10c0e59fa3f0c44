import type { Card } from './analyze.ts'
import { CAPABILITIES, type CapabilityId, type Evidence, type Finding } from './capabilities.ts'
import type { RunResult } from './sandbox/results.ts'

const MAX_EVIDENCE = 20
const MAX_HOSTS = 100

/** Adds what a run saw. `code` stays; likely or missing findings become `run`. Evidence at known lines is dropped. */
export function mergeRun(card: Card, run: RunResult): Card {
  const seen = new Map(run.capabilities.map((finding) => [finding.id, finding]))
  const known = new Map(card.capabilities.map((finding) => [finding.id, finding]))
  const ids = (Object.keys(CAPABILITIES) as CapabilityId[]).filter((id) => seen.has(id) || known.has(id))
  const hosts = new Map(run.hosts.map((one) => [one.host, one]))
  for (const { host, line, contacted } of card.hosts)
    hosts.set(host, { host, line, contacted: contacted || hosts.get(host)?.contacted === true })
  const opaque = new Map<string, number>()
  for (const { reason, count } of [...card.opaque, ...run.opaque]) {
    opaque.set(reason, Math.max(count, opaque.get(reason) ?? 0))
  }
  return {
    capabilities: ids.flatMap((id) => mergeFinding(known.get(id), seen.get(id)) ?? []),
    // Those that the script contacts come first if there are too many.
    hosts: [...hosts.values()]
      .toSorted((a, b) => Number(b.contacted) - Number(a.contacted) || a.line - b.line)
      .slice(0, MAX_HOSTS)
      .toSorted((a, b) => a.line - b.line),
    obfuscator: card.obfuscator,
    opaque: [...opaque].map(([reason, count]) => ({ reason, count })),
  }
}

function mergeFinding(known: Finding | undefined, seen: Finding | undefined): Finding | undefined {
  if (!known || !seen) return known ?? seen
  const isRunStronger = known.certainty === 'likely'
  const [first, second] = isRunStronger ? [seen, known] : [known, seen]
  // A secret is known by its name: a run sees it where it is used.
  const added = notIn(first.evidence, second.evidence, known.id === 'shape.secret' ? 'detail' : 'line')
  return {
    id: known.id,
    certainty: isRunStronger ? 'run' : known.certainty,
    evidence: [...first.evidence, ...added].slice(0, MAX_EVIDENCE),
    count: first.count + added.length + (second.count - second.evidence.length),
  }
}

function notIn(evidence: Evidence[], more: Evidence[], key: 'line' | 'detail'): Evidence[] {
  const known = new Set(evidence.map((piece) => piece[key]))
  return more.filter((piece) => !known.has(piece[key]))
}
