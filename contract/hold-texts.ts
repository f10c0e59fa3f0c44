// What a version that waits would do, as parts of sentences. It imports no schema library: the browser downloads this file.
import { titleWithServers, toInfinitive } from './finding-texts.ts'
import type { HoldReason } from './versions.ts'
import { SERIOUS_CAPABILITIES } from './version-states.ts'

type SeriousId = (typeof SERIOUS_CAPABILITIES)[number]

/** Reasons that no finding is behind, as sentences without a period. */
const OTHER_REASONS: Record<string, string> = {
  opaque: 'less of its code can be checked than before',
  check_failed: 'it could not be checked',
  less_evidence: 'it has weaker proof of origin than before',
}

const CHATS: readonly (readonly [hosts: RegExp, name: string])[] = [
  [/(^|\.)discord(app)?\.com$/, 'a Discord webhook'],
  [/(^|\.)telegram\.org$/, 'a Telegram bot'],
]

const isSerious = (id: string): id is SeriousId => SERIOUS_CAPABILITIES.some((each) => each === id)

/** What the code does, as an infinitive such as `send messages to a Discord webhook`; undefined if it is no finding. */
export function describeFinding({ id, host }: Pick<HoldReason, 'id' | 'host'>): string | undefined {
  if (!isSerious(id)) return undefined
  const chat = id === 'net.webhook' ? CHATS.find(([hosts]) => hosts.test(host ?? ''))?.[1] : undefined
  return toInfinitive(titleWithServers(id, chat ?? host ?? ''))
}

/** A reason as a sentence without a period: `it would start to send messages to a Discord webhook, line 93`. */
export function describeReason(reason: HoldReason, { isFirst = false } = {}): string {
  const finding = describeFinding(reason)
  const line = reason.line === null ? '' : `, line ${reason.line}`
  if (finding === undefined) return OTHER_REASONS[reason.id] ?? 'it waits for a decision'
  return `it would ${isFirst ? '' : 'start to '}${finding}${line}`
}

/** The first reason, and the number of the others. */
export function describeReasons(
  [first, ...others]: readonly HoldReason[],
  options: { isFirst?: boolean } = {},
): string {
  if (!first) return 'it waits for a decision'
  const text = describeReason(first, options)
  return others.length > 0 ? `${text}, and ${others.length} more` : text
}

/** The serious findings among reasons, which a declaration answers. */
export const declarableIds = (reasons: readonly HoldReason[]): SeriousId[] => [
  ...new Set(reasons.flatMap(({ id }) => (isSerious(id) ? [id] : []))),
]
