import { useEffect, useState } from 'react'
import type { GiveawayDraw } from '#contract/giveaways.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { isDrawn, type Replay, replayDraw } from './replay-draw.ts'

export interface DrawCheck {
  draw?: GiveawayDraw
  replay?: Replay
  /** Share of the entries that have been looked at, 0 to 1. */
  progress: number
  /** Why it could not be checked, as a sentence. */
  failure?: string
  /** Whether it may go better another time. */
  canRetry?: boolean
}

const NO_CRYPTO =
  'This browser checks draws only over https. The link below has all that it takes to check it elsewhere.'

/** Gets a draw and makes it again in this browser. */
export function useDrawCheck(id: number): DrawCheck {
  const api = useApi()
  const [check, setCheck] = useState<DrawCheck>({ progress: 0 })
  useEffect(() => {
    const asking = new AbortController()
    const set = (next: DrawCheck) => {
      if (!asking.signal.aborted) setCheck(next)
    }
    const run = async () => {
      const draw = await api('GET /api/giveaway-draw', { query: { id }, signal: asking.signal })
      set({ draw, progress: 0 })
      if (!isDrawn(draw)) return
      // Absent in a page without https.
      if (!isSecureContext) return set({ draw, progress: 0, failure: NO_CRYPTO })
      const replay = await replayDraw(draw, (progress) => set({ draw, progress }))
      set({ draw, replay, progress: 1 })
    }
    run().catch((error: unknown) => {
      const failure = error instanceof ApiError ? describeActionError(error) : 'The draw could not be checked.'
      set({ progress: 0, failure, canRetry: !(error instanceof ApiError && error.status === 404) })
    })
    return () => asking.abort()
  }, [api, id])
  return check
}
