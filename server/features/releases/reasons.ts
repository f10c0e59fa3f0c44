// The rule of what waits: a version that starts something serious, compared with the code that visitors have now.
import type { HoldReason } from '#contract/versions.ts'
import { SERIOUS_BY_HOST, SERIOUS_CAPABILITIES } from '#contract/version-states.ts'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { contactedHosts, type StoredCard } from '#server/features/behavior/cards.ts'

type Finding = NonNullable<StoredCard['capabilities']>[number]

export interface CheckedCode {
  /** `pending`: read but not run. */
  status: 'pending' | 'ready' | 'failed'
  card: StoredCard
}

const byHost: ReadonlySet<CapabilityId> = new Set(SERIOUS_BY_HOST)
const MAX_REASONS = 50

/** The serious findings of a first version that its author has not declared. */
export function findUndeclared({ status, card }: CheckedCode, declared: readonly CapabilityId[] | null): HoldReason[] {
  if (status === 'failed') return [reason('check_failed')]
  return SERIOUS_CAPABILITIES.filter((id) => !declared?.includes(id)).flatMap((id) => {
    const finding = findFinding(card, id)
    return finding ? [toReason(finding, null)] : []
  })
}

/** What a version starts that the current code does not do. Empty if it may become current without a person. */
export function findStarts(current: CheckedCode, next: CheckedCode): HoldReason[] {
  if (next.status === 'failed') return [reason('check_failed')]
  const starts = SERIOUS_CAPABILITIES.flatMap((id) => {
    const finding = findFinding(next.card, id)
    return finding ? findNewParts(current.card, next.card, finding) : []
  })
  if (starts.length > 0) return starts.slice(0, MAX_REASONS)
  return hidesMore(current.card, next.card) ? [reason('opaque')] : []
}

function findNewParts(current: StoredCard, next: StoredCard, finding: Finding): HoldReason[] {
  const former = findFinding(current, finding.id)
  if (!former) {
    const [host = null] = byHost.has(finding.id) ? findHosts(next, finding) : []
    return [toReason(finding, host)]
  }
  if (!byHost.has(finding.id)) return []
  const known = new Set(findHosts(current, former))
  return findHosts(next, finding)
    .filter((host) => !known.has(host))
    .map((host) => toReason(finding, host))
}

/** Whether the card has a reason that it could not follow the code, which the other does not have, or has it more often. */
function hidesMore({ opaque: former = [] }: StoredCard, { opaque: next = [] }: StoredCard): boolean {
  const counts = new Map(former.map((part) => [part.reason, part.count]))
  return next.some((part) => part.count > (counts.get(part.reason) ?? 0))
}

/**
 * The contacted hosts that a finding is about: those in its lines. If a line names none, or the card has not all lines, it may
 * be any of them.
 */
function findHosts(card: StoredCard, { evidence, count }: Finding): string[] {
  const contacted = contactedHosts(card)
  const allDetails = (card.capabilities ?? []).flatMap((finding) => finding.evidence)
  const found = new Set<string>()
  for (const { line, end_line } of evidence) {
    const isInLines = (other: number) => other >= line && other <= end_line
    const texts = allDetails.filter((part) => isInLines(part.line)).map(({ detail }) => detail.toLowerCase())
    const named = contacted.filter((host) => texts.some((text) => text.includes(`//${host}`)))
    const hosts =
      named.length > 0 ? named : (card.hosts ?? []).filter((host) => isInLines(host.line)).map(({ host }) => host)
    if (hosts.length === 0) return contacted
    for (const host of hosts) found.add(host)
  }
  return evidence.length < count ? contacted : [...found]
}

const findFinding = (card: StoredCard, id: CapabilityId): Finding | undefined =>
  card.capabilities?.find((finding) => finding.id === id)

/** The evidence of the host, or else the first. */
function toReason({ id, evidence }: Finding, host: string | null): HoldReason {
  const ofHost = host === null ? undefined : evidence.find(({ detail }) => detail.toLowerCase().includes(`//${host}`))
  const part = ofHost ?? evidence[0]
  return { id, host, line: part?.line ?? null, detail: part?.detail ?? null }
}

/** Each reason once, from several comparisons. */
export function joinReasons(lists: HoldReason[][]): HoldReason[] {
  const joined = new Map(lists.flat().map((reason) => [`${reason.id} ${reason.host ?? ''}`, reason]))
  return [...joined.values()].slice(0, MAX_REASONS)
}

const reason = (id: HoldReason['id']): HoldReason => ({ id, host: null, line: null, detail: null })

export const lessEvidence: HoldReason = reason('less_evidence')
