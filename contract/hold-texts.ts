// What a version that waits would do, as parts of sentences. It imports no schema library: the browser downloads this file.
import type { HoldReason } from './versions.ts'
import { type SERIOUS_CAPABILITIES, SERIOUS_BY_HOST } from './version-states.ts'

type SeriousId = (typeof SERIOUS_CAPABILITIES)[number]

/** As infinitive. `{}` is the host, if there is one. */
const PHRASES: Record<SeriousId, readonly [withHost: string, without: string]> = {
  'net.webhook': ['send messages to {}', 'send messages to a chat or a data collector'],
  'net.exfiltration': ['send data about the player to {}', 'send data about the player'],
  'code.remote': ['run code that it downloads from {}', 'run code that it downloads'],
  'code.persist': ['', 'run again after a teleport or restart'],
  'fs.delete': ['', 'delete files'],
  'user.purchase': ['', 'ask to buy something'],
  'shape.obfuscated': ['', 'hide its code'],
  'shape.secret': ['', 'contain a secret'],
}

/** Reasons that no finding is behind, as sentences without a period. */
const OTHER_REASONS: Record<string, string> = {
  opaque: 'more of its code cannot be followed than before',
  check_failed: 'it could not be checked',
  less_evidence: 'there is less evidence of who published it than before',
}

const CHATS: readonly (readonly [hosts: RegExp, name: string])[] = [
  [/(^|\.)discord(app)?\.com$/, 'a Discord webhook'],
  [/(^|\.)telegram\.org$/, 'a Telegram bot'],
]

const isSerious = (id: string): id is SeriousId => Object.hasOwn(PHRASES, id)
const hasHosts = (id: SeriousId) => SERIOUS_BY_HOST.some((each) => each === id)

/** What the code does, as an infinitive such as `send messages to a Discord webhook`; undefined if it is no finding. */
export function describeFinding({ id, host }: Pick<HoldReason, 'id' | 'host'>): string | undefined {
  if (!isSerious(id)) return undefined
  const [withHost, without] = PHRASES[id]
  if (host === null || !hasHosts(id)) return without
  const chat = id === 'net.webhook' ? CHATS.find(([hosts]) => hosts.test(host))?.[1] : undefined
  return withHost.replace('{}', chat ?? host)
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
