import Sparkles from 'lucide-react/icons/sparkles'
import { useEffect, useState } from 'react'
import type { ReputationStatus } from '#contract/reputation.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { Button } from '#web/ui/button.tsx'
import { useToast } from '#web/ui/toast.tsx'

export interface ReputationTarget {
  memberId: number
  name: string
  /** The member's reputation, if the page shows it, and a callback for changes. */
  reputation?: number | undefined
  onReputation?: ((reputation: number) => void) | undefined
}

/** Button for giving a member reputation, with the number of points left today. */
export function GiveReputation(target: ReputationTarget) {
  const { status, give } = useReputation(target)
  return (
    <Button
      disabled={!status?.can_give_reputation}
      title="Points you can give today"
      onClick={() => void give()}
      className="w-full"
    >
      <Sparkles aria-hidden className="size-4" />
      Give reputation
      {status && <span className="text-xs font-normal text-muted tabular-nums">{describeLimit(status)}</span>}
    </Button>
  )
}

function describeLimit({ can_give_reputation, daily_remaining, daily_limit }: ReputationStatus): string {
  const canGiveToOthers = !can_give_reputation && daily_remaining > 0
  return canGiveToOthers ? `Given today · ${daily_remaining} left` : `${daily_remaining} of ${daily_limit} left`
}

const afterGiving = (status: ReputationStatus): ReputationStatus => ({
  ...status,
  can_give_reputation: false,
  daily_used: status.daily_used + 1,
  daily_remaining: Math.max(0, status.daily_remaining - 1),
})

/** Lets the signed-in member give reputation. Updates are optimistic and corrected by the response. */
function useReputation({ memberId, name, reputation, onReputation }: ReputationTarget) {
  const api = useApi()
  const toast = useToast()
  const [status, setStatus] = useState<ReputationStatus>()

  useEffect(() => {
    const request = new AbortController()
    const query = { target_user_id: memberId }
    // Without a status the button stays disabled.
    api('GET /api/profile-reputation', { query, signal: request.signal }).then(setStatus, () => undefined)
    return () => request.abort()
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
      // The status may have changed, for example in another tab.
      setStatus(await api('GET /api/profile-reputation', { query: { target_user_id: memberId } }).catch(() => status))
    }
  }
  return { status, give }
}
