import { useEffect } from 'react'
import { readPendingAction, takePendingAction } from '#web/lib/pending-action.ts'

/** The name of a pending action that reopens a form with its values after a sign-in. */
export const pendingValues = (prefix: string, values: object): string => prefix + JSON.stringify(values)

/** The values of a form that a sign-in has interrupted; undefined if another action is pending, or none. */
export function readPendingValues(prefix: string): unknown {
  const action = readPendingAction()
  return action?.startsWith(prefix) ? JSON.parse(action.slice(prefix.length)) : undefined
}

/** Deletes the pending action once it has been read, if its name has this start. */
export function useTakePending(prefix: string): void {
  useEffect(() => {
    const action = readPendingAction()
    if (action?.startsWith(prefix)) takePendingAction(action)
  }, [prefix])
}
