import { useCallback, useContext, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/lib/session.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { describeActionError, isForbidden } from '#web/lib/describe-error.ts'
import { RefresherContext } from './refresher.ts'

export interface Live<T> {
  /** What was loaded last, perhaps for the key before. */
  data: T | undefined
  /** Why there is no data. */
  failure: string | undefined
  /** The data for the present key is on its way. */
  isPending: boolean
  reload: () => Promise<unknown>
}

interface State<T> {
  key: string
  data: T | undefined
  failure: string | undefined
}

/**
 * What a call answers, loaded for each new key and whenever the portal refreshes. `message` is what a toast says when it
 * fails; a refusal makes the session look again, which takes the portal from who is no admin any more.
 */
export function useLive<T>(key: string, load: (signal: AbortSignal) => Promise<T>, message: string): Live<T> {
  const { add } = useContext(RefresherContext)
  const { refresh } = useSession()
  const toast = useToast()
  const [state, setState] = useState<State<T>>({ key: '', data: undefined, failure: undefined })
  const latest = useRef({ key, load, hasFailed: false })
  const running = useRef<AbortController>(undefined)
  useEffect(() => {
    latest.current = { ...latest.current, key, load }
  })

  const run = useCallback(
    async (isQuiet: boolean, wanted = latest.current.key): Promise<unknown> => {
      running.current?.abort()
      const { signal } = (running.current = new AbortController())
      const { load: loadNow } = latest.current
      try {
        const data = await loadNow(signal)
        if (signal.aborted) return undefined
        latest.current.hasFailed = false
        setState({ key: wanted, data, failure: undefined })
        return undefined
      } catch (error) {
        if (signal.aborted) return undefined
        if (isForbidden(error)) void refresh()
        // One that goes on failing says so once.
        if (!isQuiet && !latest.current.hasFailed)
          toast({ title: message, text: describeActionError(error), tone: 'error' })
        latest.current.hasFailed = true
        setState((old) => ({
          key: wanted,
          data: old.key === wanted ? old.data : undefined,
          failure: describeActionError(error),
        }))
        return error
      }
    },
    [message, refresh, toast],
  )
  useEffect(() => {
    void run(false, key)
    return () => running.current?.abort()
  }, [key, run])
  useEffect(() => add(run), [add, run])

  const reload = useCallback(() => run(false), [run])
  return { data: state.data, failure: state.data ? undefined : state.failure, isPending: state.key !== key, reload }
}
