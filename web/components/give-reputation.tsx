import Sparkles from 'lucide-react/icons/sparkles'
import type { ReputationStatus } from '#contract/reputation.ts'
import { Button } from '#web/ui/button.tsx'
import { type ReputationTarget, useReputation } from './use-reputation.ts'

/** The button by which a member gives another a point, and what is left of their day. */
export function GiveReputation(target: ReputationTarget) {
  const { status, give } = useReputation(target)
  return (
    <Button
      disabled={!status?.can_give_reputation}
      title="Points that you can give today"
      onClick={() => void give()}
      className="w-full"
    >
      <Sparkles aria-hidden className="size-4" />
      Give reputation
      {status && <span className="text-xs font-normal text-muted tabular-nums">{describeDay(status)}</span>}
    </Button>
  )
}

function describeDay({ can_give_reputation, daily_remaining, daily_limit }: ReputationStatus): string {
  const left = `${daily_remaining} of ${daily_limit} left`
  return can_give_reputation || daily_remaining === 0 ? left : `given · ${left}`
}
