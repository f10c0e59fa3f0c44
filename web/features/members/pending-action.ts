import { ApiError } from '#web/lib/api-error.ts'

/** An action that requires a recent sign-in. */
export type OwnDataAction = 'download' | 'delete'

/** Whether the server asks for a recent sign-in. */
export const needsSignIn = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'reauthentication_required'

// In this tab only, so that a link cannot start an action.
const KEY = 'pending_action'

/** Stores an action that continues after the sign-in. */
export function storePendingAction(action: OwnDataAction): void {
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

/** Returns the stored action and deletes it. */
export function takePendingAction(): string | null {
  const action = readPendingAction()
  if (action !== null) sessionStorage.removeItem(KEY)
  return action
}
