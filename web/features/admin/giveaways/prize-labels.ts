import type { Giveaway } from '#contract/giveaways.ts'

export const PRIZE_LABELS: Record<Giveaway['prize_type'], string> = {
  exec_key: 'Exec Key',
  executor_key: 'Executor Key',
  custom: 'Custom Prize',
  other: 'Other',
}

export const REQUIREMENT_LABELS: Record<Giveaway['entry_requirement'], string> = {
  login: 'Login',
  verified: 'Verified e-mail',
}
