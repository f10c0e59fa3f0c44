import { useSession } from '#web/lib/session.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { describeActionError, isForbidden } from '#web/lib/describe-error.ts'

export interface ActionMessages<T> {
  success: string | ((result: T) => string)
  failure: string
}

/** Does something and tells how it went. Rejects with what went wrong, after telling it. */
export function useAction() {
  const toast = useToast()
  const { refresh } = useSession()
  return async <T>(act: () => Promise<T>, { success, failure }: ActionMessages<T>): Promise<T> => {
    try {
      const result = await act()
      toast({ title: typeof success === 'string' ? success : success(result), tone: 'success' })
      return result
    } catch (error) {
      toast({ title: failure, text: describeActionError(error), tone: 'error' })
      if (isForbidden(error)) void refresh()
      throw error
    }
  }
}
