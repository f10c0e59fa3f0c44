import { useSession } from '#web/lib/session.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { describeActionError, isForbidden } from '#web/lib/describe-error.ts'

export interface ActionMessages<T> {
  /** A function may return undefined to show no message. */
  success: string | ((result: T) => string | undefined)
  failure: string
}

/** Returns a function that runs an action and shows its outcome as a message. Rejects with the action's error. */
export function useAction() {
  const toast = useToast()
  const { refresh } = useSession()
  return async <T>(action: () => Promise<T>, { success, failure }: ActionMessages<T>): Promise<T> => {
    try {
      const result = await action()
      const title = typeof success === 'string' ? success : success(result)
      if (title !== undefined) toast({ title, tone: 'success' })
      return result
    } catch (error) {
      toast({ title: failure, text: describeActionError(error), tone: 'error' })
      if (isForbidden(error)) void refresh()
      throw error
    }
  }
}
