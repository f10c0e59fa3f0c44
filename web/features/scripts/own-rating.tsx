import { useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '#contract/accounts.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { Stars } from '#web/components/stars.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { ScriptDetails } from './load-script.ts'
import { type GivenRating, RatingForm } from './rating-form.tsx'
import { useOwnRating } from './use-own-rating.ts'

/** What a member says of a script: a button that opens the form, and the own rating once there is one. */
export function OwnRating({ script, user }: { script: ScriptDetails['script']; user: CurrentUser }) {
  if (script.author_id === user.id) {
    return (
      <p className="flex min-h-11 items-center text-muted">This is your script. You can answer each review once.</p>
    )
  }
  return <RateScript id={script.id} />
}

function RateScript({ id }: { id: number }) {
  const { own, rate, remove } = useOwnRating(id)
  const [isOpen, setOpen] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  // The form takes the focus along when it goes.
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  const send = async (given: GivenRating) => {
    const { isTaken, refusal } = await rate(given)
    if (isTaken) setOpen(false)
    return refusal
  }
  const toggle = (
    <Button
      ref={opener}
      variant={own || isOpen ? 'secondary' : 'primary'}
      size={own ? 'sm' : 'md'}
      disabled={own === undefined}
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
    >
      {own ? 'Change' : 'Rate this script'}
    </Button>
  )
  return (
    <div className={own || isOpen ? 'flex flex-col gap-4 rounded-md border border-line bg-surface-1 p-4' : 'flex'}>
      {own ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-semibold">You rated this</span>
            <Stars rating={own.rating} className="h-4" />
            <RelativeTime iso={own.edited_at ?? own.created_at} className="text-sm text-muted" />
          </p>
          <div className="ml-auto flex gap-2">
            {toggle}
            <Button size="sm" variant="ghost" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex">{toggle}</div>
      )}
      {isOpen && (
        <RatingForm
          {...(own ? { before: { rating: own.rating, review: own.review ?? '' } } : {})}
          onSend={send}
          onCancel={() => setOpen(false)}
        />
      )}
      {isRemoving && (
        <ConfirmDialog
          title="Remove your rating?"
          text="Your stars and your review go, and an answer to it with them."
          confirmLabel="Remove"
          busyLabel="Removing..."
          onConfirm={async () => {
            await remove()
            setOpen(false)
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  )
}
