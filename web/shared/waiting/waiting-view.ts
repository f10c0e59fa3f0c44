// What the pages say about a version that waits.
import { describeFinding, describeReason, describeReasons } from '#contract/hold-texts.ts'
import type { HoldReason, WaitingVersion } from '#contract/versions.ts'
import { timeText } from '#web/lib/dates.ts'

/** A sentence after the version's number: `waits until Nov 29, 2026, 2:00 PM UTC: it would start to delete files, line 9.` */
export function describeWaiting({ state, held, is_first }: WaitingVersion): string {
  if (state === 'checking' || !held) return 'is being checked.'
  const until = held.current_at === null ? '' : ` until ${timeText(held.current_at)}`
  return `waits${until}: ${describeReasons(held.reasons, { isFirst: is_first })}.`
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A reason as a heading, without its line, which is shown beside it. */
export function titleOf(reason: HoldReason): string {
  const finding = describeFinding(reason)
  return capitalize(finding === undefined ? describeReason(reason) : `would ${finding}`)
}

const MAX_LINE_LENGTH = 300

/** The line of the code that a reason is about; undefined if the code is not loaded or has no such line. */
export function lineOf(code: string | undefined, line: number | null): string | undefined {
  if (code === undefined || line === null) return undefined
  const text = code.split(/\r\n|\r|\n/, line)[line - 1]?.trim()
  return text && text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text
}

export interface ReasonsOfLine {
  line: number | null
  reasons: HoldReason[]
}

/** Reasons about the same line together, in their order. */
export function groupByLine(reasons: readonly HoldReason[]): ReasonsOfLine[] {
  const groups = new Map<number | null, HoldReason[]>()
  for (const reason of reasons) groups.set(reason.line, [...(groups.get(reason.line) ?? []), reason])
  return Array.from(groups, ([line, ofLine]) => ({ line, reasons: ofLine }))
}

const HOUR_MS = 3_600_000

/** When a version becomes current if its author confirms it at `now`: the end of the hold, or at once. */
export function confirmedUntil(createdAt: string, holdHours: number, now: number): string | undefined {
  const end = Date.parse(createdAt) + holdHours * HOUR_MS
  return end > now ? new Date(end).toISOString() : undefined
}
