import Hourglass from 'lucide-react/icons/hourglass'
import type { WaitingVersion } from '#contract/versions.ts'
import { describeWaiting } from './waiting-view.ts'

/** One line about the version that waits, the same for everyone. */
export function WaitingLine({ waiting }: { waiting: WaitingVersion }) {
  return (
    <p className="flex items-start gap-2.5 wrap-anywhere">
      <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      <span>
        {waiting.is_first && <strong className="font-semibold">Not public yet. </strong>}
        <bdi className="font-semibold">{waiting.version}</bdi> {describeWaiting(waiting)}
      </span>
    </p>
  )
}
