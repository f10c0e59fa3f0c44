// What the history says about a version.
import { describeReasons } from '#contract/hold-texts.ts'
import type { ScriptVersion } from '#contract/scripts.ts'
import type { VersionState } from '#contract/version-states.ts'
import { timeText } from '#web/lib/dates.ts'
import type { PillTone } from '#web/ui/pill.tsx'

export const STATE_LABELS: Record<VersionState, { label: string; tone: PillTone }> = {
  checking: { label: 'Being checked', tone: 'warning' },
  held: { label: 'Waits', tone: 'warning' },
  current: { label: 'Current', tone: 'accent' },
  former: { label: 'Former', tone: 'neutral' },
  discarded: { label: 'Discarded', tone: 'neutral' },
  withdrawn: { label: 'Withdrawn', tone: 'danger' },
}

export const WITHDRAWERS = { author: 'its author', moderators: 'moderators' } as const

const SHORT_COMMIT = 7

/** How it was published, as far as the site can prove it. Empty if nothing is known. */
export function describeProvenance({
  provenance,
  token_name,
}: Pick<ScriptVersion, 'provenance' | 'token_name'>): string {
  const { by, repository, commit } = provenance
  const source = `${repository ?? 'a repository'}${commit ? ` at ${commit.slice(0, SHORT_COMMIT)}` : ''}`
  switch (by) {
    case 'build':
      return `Built by ${source}`
    case 'repository':
      return `From ${source}`
    case 'web':
      return 'Published in the browser'
    case 'token':
      return token_name === null ? 'Published with an API token' : `Published with the token “${token_name}”`
    case 'import':
      return 'Imported'
    case 'unknown':
      return ''
  }
}

/** The page of the build, or else of the commit. Only an address that a browser may open from here. */
export const sourceUrl = ({ provenance }: Pick<ScriptVersion, 'provenance'>): string | undefined =>
  [provenance.run_url, provenance.commit_url].find((url) => url?.startsWith('https://')) ?? undefined

/** Why it is not what visitors get; undefined for current and former versions. */
export function describeState(version: ScriptVersion): string | undefined {
  const { state, held, discard_reason, state_since, withdrawn } = version
  if (state === 'held' && held) {
    const until = held.current_at === null ? '' : `until ${timeText(held.current_at)}: `
    const text = until + describeReasons(held.reasons)
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  }
  if (state === 'discarded') return `${timeText(state_since)}. ${discard_reason ?? ''}`.trim()
  if (withdrawn) return `By ${WITHDRAWERS[withdrawn.by]}, ${timeText(withdrawn.withdrawn_at)}: ${withdrawn.reason}`
  return undefined
}

/** The slug in an address of a script; undefined if the text is empty. */
export const readSuccessor = (text: string): string | undefined =>
  /\/scripts\/([^/?#\s]+)/.exec(text)?.[1] ?? (text.trim() || undefined)

/** Whether everyone can read its code. */
export const isPublished = ({ state }: Pick<ScriptVersion, 'state'>): boolean =>
  state === 'current' || state === 'former'
