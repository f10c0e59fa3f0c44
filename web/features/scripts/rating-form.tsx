import { type FormEvent, useEffect, useRef, useState } from 'react'
import { MAX_REVIEW_LENGTH } from '#contract/limits.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { StarInput } from './star-input.tsx'

export interface GivenRating {
  rating: number
  review: string
}

interface Props {
  /** What stood there before, when a rating is changed. */
  before?: GivenRating
  /** Sends it. Answers with what is wrong with the review, if that kept it from being taken. */
  onSend: (given: GivenRating) => Promise<string | undefined>
  onCancel: () => void
}

/** Stars, and words if one likes. What was written stays until it is taken or given up. */
export function RatingForm({ before, onSend, onCancel }: Props) {
  const [rating, setRating] = useState(before?.rating ?? 0)
  const [review, setReview] = useState(before?.review ?? '')
  const [isMissing, setMissing] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const focusStars = () => {
    const stars = form.current?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? []
    const chosen = [...stars].find(({ checked }) => checked) ?? stars[0]
    chosen?.focus()
  }
  useEffect(focusStars, [])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setMissing(rating === 0)
    if (rating === 0) return focusStars()
    setBusy(true)
    setRefusal(await onSend({ rating, review }))
    setBusy(false)
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label={before ? 'Change your rating' : 'Rate this script'}
      onSubmit={(event) => void send(event)}
      className="flex flex-col gap-4"
    >
      <StarInput
        legend="Your rating"
        value={rating}
        onChange={setRating}
        error={isMissing && rating === 0 && 'Choose one to five stars.'}
      />
      <Field
        name="review"
        label="Review (optional)"
        help="What works, what does not, and where you tried it."
        error={refusal}
        aside={`${fullCount(review.length)} / ${fullCount(MAX_REVIEW_LENGTH)}`}
      >
        {(aria) => <TextArea {...aria} value={review} onChange={setReview} maxLength={MAX_REVIEW_LENGTH} />}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={isBusy} onClick={onCancel} className="max-sm:flex-1">
          Cancel
        </Button>
        <Button type="submit" variant="primary" aria-disabled={isBusy} className="min-w-32 max-sm:flex-1">
          {isBusy ? 'Saving...' : before ? 'Save changes' : 'Submit rating'}
        </Button>
      </div>
    </form>
  )
}
