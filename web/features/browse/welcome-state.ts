import type { CurrentUser } from '#contract/accounts.ts'

const KEY = 'welcome_dismissed'
/** Later, members know the site, also on a device where they did not dismiss it. */
const NEW_FOR_MS = 7 * 86_400_000

/** Whether to greet a member: in their first week, until they dismiss it in this browser. */
export function isWelcome({ id, created_at }: Pick<CurrentUser, 'id' | 'created_at'>, now = new Date()): boolean {
  if (now.getTime() - Date.parse(created_at) >= NEW_FOR_MS) return false
  try {
    return localStorage.getItem(KEY) !== String(id)
  } catch {
    // Without storage, nothing remembers that it was dismissed.
    return false
  }
}

export function dismissWelcome({ id }: Pick<CurrentUser, 'id'>): void {
  try {
    localStorage.setItem(KEY, String(id))
  } catch {
    // It is not shown without storage.
  }
}
