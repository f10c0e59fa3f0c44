import type { Giveaway } from '#contract/giveaways.ts'
import type { PillTone } from '#web/ui/pill.tsx'

export const PRIZE_LABELS: Record<Giveaway['prize_type'], string> = {
  exec_key: 'License key',
  executor_key: 'License key (legacy)',
  custom: 'Custom prize',
  other: 'Other',
}

export const REQUIREMENT_LABELS: Record<Giveaway['entry_requirement'], string> = {
  login: 'Signed in',
  verified: 'Verified email',
}

type StateFields = Pick<Giveaway, 'is_ended' | 'is_active' | 'entry_count' | 'drawn_at'>

export function stateOf({ is_ended, is_active }: StateFields): { label: string; tone: PillTone } {
  if (is_ended) return { label: 'Ended', tone: 'neutral' }
  return is_active ? { label: 'Active', tone: 'success' } : { label: 'Inactive', tone: 'warning' }
}

/** Whether winners can be selected before the end, which closes the giveaway. */
export const canSelectWinners = ({ is_ended, entry_count }: StateFields): boolean => !is_ended && entry_count > 0

/** Whether the giveaway has ended and waits for its draw. */
export const canDraw = ({ is_ended, entry_count, drawn_at }: StateFields): boolean =>
  is_ended && drawn_at === null && entry_count > 0
