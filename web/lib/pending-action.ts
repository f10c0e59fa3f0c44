// In this tab only, so that a link cannot start an action.
const KEY = 'pending_action'

/** Stores the name of an action that continues after the sign-in. */
export function storePendingAction(action: string): void {
  try {
    sessionStorage.setItem(KEY, action)
  } catch {
    // Storage is blocked: the member starts the action again.
  }
}

export function readPendingAction(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** Deletes the stored action if it is this one. Returns whether it was. */
export function takePendingAction(action: string): boolean {
  if (readPendingAction() !== action) return false
  sessionStorage.removeItem(KEY)
  return true
}
