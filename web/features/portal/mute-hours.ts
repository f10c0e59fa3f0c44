import type { DECISION_MUTE_HOURS } from '#contract/limits.ts'

/** How long a decision about a report may mute its author. Admins may mute members permanently, too. */
export const MUTE_HOURS = {
  '1': '1 hour',
  '6': '6 hours',
  '24': '24 hours',
  '168': '7 days',
} as const satisfies Record<(typeof DECISION_MUTE_HOURS)[number], string>
