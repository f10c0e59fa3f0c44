import Star from 'lucide-react/icons/star'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useRevalidator } from '#web/router/router.tsx'
import type { CurrentUser } from '#contract/accounts.ts'
import { MAX_REVIEW_LENGTH } from '#contract/limits.ts'
import type { Review } from '#contract/ratings.ts'
import { CODE_HINT } from '#web/shared/markdown/code-hint.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { PageScript } from './script-details.ts'

interface RatingInput {
  rating: number
  review: string
}

/** The signed-in member's rating, and the form to add, change or remove it. */
export function OwnRating({ script, user }: { script: PageScript; user: CurrentUser }) {
  if (script.author_id === user.id) {
    return <p className="flex min-h-11 items-center text-muted">You can reply once to each review.</p>
  }
  return <RateScript id={script.id} />
}

function RateScript({ id }: { id: number }) {
  const { own, rate, remove } = useOwnRating(id)
  const [isOpen, setOpen] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  // Returns the focus to the button when the form closes.
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  const send = async (input: RatingInput) => {
    const { isSaved, reviewError } = await rate(input)
    if (isSaved) setOpen(false)
    return reviewError
  }
  // The form replaces it.
  const openButton = !isOpen && (
    <Button
      ref={opener}
      variant={own ? 'secondary' : 'primary'}
      size={own ? 'sm' : 'md'}
      disabled={own === undefined}
      onClick={() => setOpen(true)}
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
            {openButton}
            <Button size="sm" variant="ghost" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </div>
        </div>
      ) : (
        openButton
      )}
      {isOpen && (
        <RatingForm
          {...(own ? { initial: { rating: own.rating, review: own.review ?? '' } } : {})}
          onSend={send}
          onCancel={() => setOpen(false)}
        />
      )}
      {isRemoving && (
        <ConfirmDialog
          title="Remove your rating?"
          text="This deletes your rating, your review and any reply to it."
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

/** The member's rating of a script: undefined while loading, null if there is none. */
function useOwnRating(id: number) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const [own, setOwn] = useState<Review | null>()

  useEffect(() => {
    const controller = new AbortController()
    api('GET /api/script-rating', { query: { id }, signal: controller.signal }).then(
      ({ own_rating }) => setOwn(own_rating),
      (error: unknown) => {
        if (controller.signal.aborted) return
        console.warn('Failed to load own rating', error)
        // Adding a rating replaces an existing one, so the form still works.
        setOwn(null)
      },
    )
    return () => controller.abort()
  }, [api, id])

  const showFailure = (title: string, error: unknown) => {
    console.warn(title, error)
    toast({ title, text: describeError(error), tone: 'error' })
  }
  const rate = async ({ rating, review }: RatingInput) => {
    try {
      const saved = await api('POST /api/script-rating', { query: { id }, body: { rating, review: review || null } })
      setOwn(saved.rating)
      toast({ title: 'Rating saved', tone: 'success' })
      void revalidate()
      return { isSaved: true, reviewError: undefined }
    } catch (error) {
      showFailure('Failed to submit rating', error)
      return { isSaved: false, reviewError: error instanceof ApiError ? error.fields['review'] : undefined }
    }
  }
  /** Rejects if the rating could not be removed. */
  const remove = async () => {
    try {
      await api('DELETE /api/script-rating', { query: { id } })
    } catch (error) {
      showFailure('Failed to remove rating', error)
      throw error
    }
    setOwn(null)
    toast({ title: 'Rating removed', tone: 'success' })
    void revalidate()
  }
  return { own, rate, remove }
}

interface FormProps {
  /** The existing rating, when it is changed. */
  initial?: RatingInput
  /** Sends the rating. Resolves to an error for the review field, if any. */
  onSend: (input: RatingInput) => Promise<string | undefined>
  onCancel: () => void
}

/** Stars and an optional review. Keeps the input when sending fails. */
function RatingForm({ initial, onSend, onCancel }: FormProps) {
  const [rating, setRating] = useState(initial?.rating ?? 0)
  const [review, setReview] = useState(initial?.review ?? '')
  const [isSubmitted, setSubmitted] = useState(false)
  const [reviewError, setReviewError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const focusStars = () => {
    const stars = form.current?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? []
    const checked = [...stars].find((star) => star.checked) ?? stars[0]
    checked?.focus()
  }
  useEffect(focusStars, [])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setSubmitted(true)
    if (rating === 0) return focusStars()
    setBusy(true)
    setReviewError(await onSend({ rating, review }))
    setBusy(false)
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label={initial ? 'Change your rating' : 'Rate this script'}
      onSubmit={(event) => void send(event)}
      className="flex flex-col gap-4"
    >
      <StarInput
        legend="Your rating"
        value={rating}
        onChange={setRating}
        error={isSubmitted && rating === 0 && 'Choose one to five stars.'}
      />
      <Field
        name="review"
        label="Review (optional)"
        help={`What works, what doesn't, and where you tried it. ${CODE_HINT}`}
        error={reviewError}
        aside={`${fullCount(review.length)} / ${fullCount(MAX_REVIEW_LENGTH)}`}
      >
        {(aria) => <TextArea {...aria} value={review} onChange={setReview} maxLength={MAX_REVIEW_LENGTH} />}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={isBusy} onClick={onCancel} className="max-sm:flex-1">
          Cancel
        </Button>
        <Button type="submit" variant="primary" aria-disabled={isBusy} className="min-w-32 max-sm:flex-1">
          {isBusy ? 'Saving...' : initial ? 'Save changes' : 'Submit rating'}
        </Button>
      </div>
    </form>
  )
}

const STARS = [1, 2, 3, 4, 5]
const RATING_NAMES = ['', 'Poor', 'Fair', 'Good', 'Very good', 'Excellent']

interface StarInputProps {
  legend: string
  /** 0 while none is chosen. */
  value: number
  onChange: (value: number) => void
  error?: ReactNode
}

/** One to five stars as radio buttons, for keyboard and touch support. */
function StarInput({ legend, value, onChange, error }: StarInputProps) {
  const id = useId()
  const [hovered, setHovered] = useState(0)
  const shown = hovered || value
  return (
    <fieldset
      role="radiogroup"
      data-field="rating"
      aria-required
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
      className="min-w-0"
    >
      <legend className="font-medium">{legend}</legend>
      <div className="flex flex-wrap items-center gap-x-3">
        <div className="-ml-2.5 flex" onPointerLeave={() => setHovered(0)}>
          {STARS.map((stars) => (
            <label
              key={stars}
              onPointerEnter={({ pointerType }) => setHovered(pointerType === 'mouse' ? stars : 0)}
              className="relative grid size-11 place-items-center"
            >
              <input
                type="radio"
                name={id}
                value={stars}
                checked={stars === value}
                onChange={() => onChange(stars)}
                className="absolute inset-0 cursor-pointer appearance-none rounded-sm"
              />
              <Star
                aria-hidden
                className={`pointer-events-none relative size-7 ${stars <= shown ? 'fill-current text-star' : 'text-line-strong'}`}
              />
              <span className="sr-only">{stars === 1 ? '1 star' : `${stars} stars`}</span>
            </label>
          ))}
        </div>
        <span aria-hidden className="text-muted">
          {RATING_NAMES[shown]}
        </span>
      </div>
      {error && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
