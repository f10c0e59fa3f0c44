// The rule of what waits: a version that starts something serious, compared with the code that visitors have now.
import { OPAQUE } from '@scriptyard/luau-behavior/capabilities'
import type { HoldReason } from '#contract/versions.ts'
import { SERIOUS_BY_HOST, SERIOUS_CAPABILITIES } from '#contract/version-states.ts'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { contactedHosts, MAX_TEXT, type StoredCard } from '#server/features/behavior/cards.ts'

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
    const [host = null] = byHost.has(finding.id) ? findDestinations(next, finding).hosts : []
    return [toReason(finding, host)]
  }
  if (!byHost.has(finding.id)) return []
  const known = findDestinations(current, former)
  const { hosts, unknown, unknownCount } = findDestinations(next, finding)
  const added = hosts.filter((host) => !known.hosts.includes(host))
  if (added.length > 0) return added.map((host) => toReason(finding, host))
  return unknownCount > known.unknownCount ? [toReason(finding, null, unknown)] : []
}

/**
 * Whether the card has a reason that it could not follow the code, which the other does not have, or has it more often. What
 * downloaded code does is not counted: `code.remote` has a rule of its own, by host.
 */
function hidesMore({ opaque: former = [] }: StoredCard, { opaque: next = [] }: StoredCard): boolean {
  const counts = new Map(former.map((part) => [part.reason, part.count]))
  return next.some((part) => part.reason !== OPAQUE.downloaded && part.count > (counts.get(part.reason) ?? 0))
}

interface Destinations {
  hosts: string[]
  /** The evidence in whose lines no host is named. */
  unknown: Finding['evidence']
  /** With the evidence that the card leaves out. */
  unknownCount: number
}

/**
 * The hosts that a finding is about: those in its lines. If a line names none, or the card has not all lines, it may also be any
 * other that the code contacts.
 */
function findDestinations(card: StoredCard, { evidence, count }: Finding): Destinations {
  const contacted = contactedHosts(card)
  const allDetails = (card.capabilities ?? []).flatMap((finding) => finding.evidence)
  const destinations = new Set<string>()
  const unknown = evidence.filter(({ line, end_line }) => {
    const isInLines = (other: number) => other >= line && other <= end_line
    const named = allDetails.filter((part) => isInLines(part.line)).flatMap(({ detail }) => readHosts(detail))
    const known = named.filter((host) => contacted.includes(host))
    const hosts =
      known.length > 0 ? known : (card.hosts ?? []).filter((host) => isInLines(host.line)).map(({ host }) => host)
    for (const host of hosts) destinations.add(host)
    return hosts.length === 0
  })
  const unknownCount = unknown.length + count - evidence.length
  return { hosts: [...new Set([...destinations, ...(unknownCount > 0 ? contacted : [])])], unknown, unknownCount }
}

/** What is before an @ is a name and a password. Where a detail was cut, a host may be incomplete. */
function readHosts(detail: string): string[] {
  return [...detail.toLowerCase().matchAll(/\/\/([^\s/?#\\"']+)/g)].flatMap(({ 0: text, 1: authority = '', index }) => {
    const isCut = index + text.length === detail.length && detail.length >= MAX_TEXT
    return isCut ? [] : [authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')]
  })
}

const findFinding = (card: StoredCard, id: CapabilityId): Finding | undefined =>
  card.capabilities?.find((finding) => finding.id === id)

/** With the evidence that names the host, or else the first of the given. */
function toReason({ id, evidence }: Finding, host: string | null, others = evidence): HoldReason {
  const ofHost = host === null ? undefined : evidence.find(({ detail }) => readHosts(detail).includes(host))
  const part = ofHost ?? others[0]
  return { id, host, line: part?.line ?? null, detail: part?.detail ?? null }
}

/** Each reason once, from several comparisons. */
export function joinReasons(lists: HoldReason[][]): HoldReason[] {
  const joined = new Map(lists.flat().map((reason) => [`${reason.id} ${reason.host ?? ''}`, reason]))
  return [...joined.values()].slice(0, MAX_REASONS)
}

const reason = (id: HoldReason['id']): HoldReason => ({ id, host: null, line: null, detail: null })

export const lessEvidence: HoldReason = reason('less_evidence')
