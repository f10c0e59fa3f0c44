import { useEffect, useState } from 'react'
import type { ReputationStatus } from '#contract/reputation.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { useToast } from '#web/ui/toast.tsx'

export interface ReputationTarget {
  memberId: number
  name: string
  /** The member's figure where it is shown, and how it moves. */
  reputation?: number | undefined
  onReputation?: ((reputation: number) => void) | undefined
}

/** What the day looks like once a point is given. */
const afterGiving = (status: ReputationStatus): ReputationStatus => ({
  ...status,
  can_give_reputation: false,
  daily_used: status.daily_used + 1,
  daily_remaining: Math.max(0, status.daily_remaining - 1),
})

/** Whether the member may give another a point; figures move at once and the server's answer corrects them. */
export function useReputation({ memberId, name, reputation, onReputation }: ReputationTarget) {
  const api = useApi()
  const toast = useToast()
  const [status, setStatus] = useState<ReputationStatus>()

  useEffect(() => {
    const stop = new AbortController()
    const query = { target_user_id: memberId }
    // Without an answer nobody says that a point may be given: the button stays off.
    api('GET /api/profile-reputation', { query, signal: stop.signal }).then(setStatus, () => undefined)
    return () => stop.abort()
  }, [api, memberId])

  const give = async () => {
    if (!status?.can_give_reputation) return
    setStatus(afterGiving(status))
    if (reputation !== undefined) onReputation?.(reputation + 1)
    try {
      const { new_reputation, ...next } = await api('POST /api/profile-reputation', {
        body: { target_user_id: memberId },
      })
      setStatus(next)
      onReputation?.(new_reputation)
      toast({ title: 'Reputation Given!', text: `You gave 1 reputation point to ${name}`, tone: 'success' })
    } catch (error) {
      if (reputation !== undefined) onReputation?.(reputation)
      toast({ title: 'Failed to Give Reputation', text: describeError(error), tone: 'error' })
      // Why not may be that the day looks different by now.
      setStatus(await api('GET /api/profile-reputation', { query: { target_user_id: memberId } }).catch(() => status))
    }
  }
  return { status, give }
}
