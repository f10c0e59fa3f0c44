import type { Giveaway } from '#contract/giveaways.ts'
import type { PillTone } from '#web/ui/pill.tsx'

type State = Pick<Giveaway, 'is_ended' | 'is_active' | 'entry_count' | 'drawn_at'>

/** How a giveaway stands, for admins. */
export function stateOf({ is_ended, is_active }: State): { label: string; tone: PillTone } {
  if (is_ended) return { label: 'Ended', tone: 'neutral' }
  return is_active ? { label: 'Active', tone: 'success' } : { label: 'Inactive', tone: 'warning' }
}

/** Winners may be chosen before the end as soon as somebody has entered. */
export const canSelectWinners = ({ is_ended, entry_count }: State): boolean => !is_ended && entry_count > 0

/** Time has ended it, and nobody has drawn yet. */
export const canDraw = ({ is_ended, entry_count, drawn_at }: State): boolean =>
  is_ended && drawn_at === null && entry_count > 0
