import { Sparkles } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../ui/button.tsx'
import { type ReputationTarget, useReputation } from './use-reputation.ts'

/** The button by which a member gives another a point, and what is left of their day. */
export function GiveReputation(target: ReputationTarget) {
  const { status, give } = useReputation(target)
  const id = useId()
  const left = status?.daily_remaining
  return (
    <div className="flex flex-col gap-1.5">
      <Button
        disabled={!status?.can_give_reputation}
        aria-describedby={left === undefined ? undefined : id}
        onClick={() => void give()}
        className="w-full"
      >
        <Sparkles aria-hidden className="size-4" />
        Give reputation
      </Button>
      {/* Its line is kept from the beginning. */}
      <p id={id} className="min-h-5 text-center text-xs text-muted tabular-nums">
        {status &&
          (status.can_give_reputation || left === 0
            ? `${left} of ${status.daily_limit} points left today`
            : `Given today · ${left} of ${status.daily_limit} left`)}
      </p>
    </div>
  )
}
