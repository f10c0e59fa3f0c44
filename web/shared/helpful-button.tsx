import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { useState } from 'react'
import { useAction } from './use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'

interface Props {
  subject: { type: 'review' | 'comment'; id: number }
  name: string
  isOwn: boolean
  isHelpful: boolean
  count: number
  onChanged: (isHelpful: boolean, count: number) => void
}

/** Marks a review or a comment as helpful, with the number of members who did. Own content has only the number. */
export function HelpfulButton({ subject, name, isOwn, isHelpful, count, onChanged }: Props) {
  const api = useApi()
  const run = useAction()
  const [isBusy, setBusy] = useState(false)
  if (isOwn) return count > 0 ? <p className="px-3 text-sm text-muted">Helpful {fullCount(count)}</p> : null
  const toggle = async () => {
    if (isBusy) return
    setBusy(true)
    const body = { subject_type: subject.type, subject_id: subject.id, is_helpful: !isHelpful }
    await run(() => api('PUT /api/helpful', { body }), { success: () => undefined, failure: 'Failed to save' }).then(
      ({ helpful_count }) => onChanged(!isHelpful, helpful_count),
      () => undefined,
    )
    setBusy(false)
  }
  return (
    <Button
      size="sm"
      variant="ghost"
      aria-pressed={isHelpful}
      onClick={() => void toggle()}
      className="aria-pressed:text-accent"
    >
      <ThumbsUp aria-hidden className="size-4" />
      Helpful
      {count > 0 && <span className="tabular-nums">{fullCount(count)}</span>}
      <span className="sr-only">
        , {subject.type} by {name}
      </span>
    </Button>
  )
}
