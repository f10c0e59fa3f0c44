import { useSession } from '#web/lib/session.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { describeFailure, isRefused } from '#web/lib/explain.ts'

interface Says<T> {
  success: string | ((result: T) => string)
  failure: string
}

/** Does something and tells how it went. Rejects with what went wrong, after telling it. */
export function useDeed() {
  const toast = useToast()
  const { refresh } = useSession()
  return async <T>(act: () => Promise<T>, { success, failure }: Says<T>): Promise<T> => {
    try {
      const result = await act()
      toast({ title: typeof success === 'string' ? success : success(result), tone: 'success' })
      return result
    } catch (error) {
      toast({ title: failure, text: describeFailure(error), tone: 'error' })
      if (isRefused(error)) void refresh()
      throw error
    }
  }
}
