import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import { useState } from 'react'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { Button } from '#web/ui/button.tsx'

interface Props {
  /** What it is, such as "Draft". */
  what: string
  from: 'device' | 'browser'
  changedAt: string
  title?: string
  note?: string | false
  /** Whether dismissing deletes it, which takes two clicks. */
  isDeleted?: boolean
  onUse: () => void
  onDismiss: () => void
}

/** Offers a draft of another device, or the older of two states of the one in the form. */
export function OtherDraftNotice(props: Props) {
  const { what, from, changedAt, title, note, isDeleted = false, onUse, onDismiss } = props
  const [isConfirming, setConfirming] = useState(false)
  const dismiss = () => (isDeleted && !isConfirming ? setConfirming(true) : onDismiss())
  const dismissLabel = isConfirming ? 'Click again to delete' : isDeleted ? 'Delete it' : 'Dismiss'
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line bg-surface-1 p-3 pl-4"
    >
      <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {what} from {from === 'device' ? 'another device' : 'this browser'}, <RelativeTime iso={changedAt} />
        {title && (
          <>
            : <bdi className="font-medium">{title}</bdi>
          </>
        )}
        {note && <span className="block text-sm text-muted">{note}</span>}
      </p>
      <Button size="sm" variant="ghost" onClick={dismiss}>
        {dismissLabel}
      </Button>
      <Button size="sm" onClick={onUse}>
        Use it
      </Button>
    </div>
  )
}
