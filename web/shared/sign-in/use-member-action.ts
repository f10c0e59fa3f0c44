import { useEffect, useEffectEvent } from 'react'
import { storePendingAction, takePendingAction } from '#web/lib/pending-action.ts'
import { useSession } from '#web/lib/session.tsx'

/**
 * Returns a function that runs a member's action. Visitors sign in first, and the action runs when they return.
 * `name` distinguishes the action from all others, for example 'favorite 12'.
 */
export function useMemberAction(name: string, run: () => void): () => void {
  const { status, signIn } = useSession()
  const resume = useEffectEvent(run)
  useEffect(() => {
    // A visitor who canceled the sign-in no longer wants the action.
    if (status !== 'loading' && takePendingAction(name) && status === 'member') resume()
  }, [name, status])
  return () => {
    if (status === 'member') return run()
    storePendingAction(name)
    void signIn()
  }
}
