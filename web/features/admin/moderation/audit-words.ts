import { timeText } from '#web/lib/dates.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** A deed's name as words: 'ban_user' reads 'ban user'. */
export const actionText = (action: string): string => action.replaceAll('_', ' ')

export interface Change {
  name: string
  before: string | undefined
  after: string | undefined
}

/** What a deed changed, field by field; what stayed the same is left out. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const old = fieldsOf(before)
  const next = fieldsOf(after)
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  return names
    .map((name) => ({ name: actionText(name), before: textOf(old[name]), after: textOf(next[name]) }))
    .filter((change) => change.before !== change.after)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { value }
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return TIME.test(value) ? timeText(value) : value
  return JSON.stringify(value)
}
