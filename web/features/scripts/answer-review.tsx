import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { MAX_REVIEW_LENGTH } from '#contract/limits.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { WrittenReview } from './written-reviews.ts'

/** How the author answers a review: once, so the form says it before. */
export function AnswerReview({ review }: { review: WrittenReview }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (isOpen) return <AnswerForm review={review} onCancel={close} />
  return (
    <Button
      ref={opener}
      size="sm"
      variant="ghost"
      aria-label={`Answer the review of ${review.reviewer_name}`}
      onClick={() => setOpen(true)}
      className="-ml-3 self-start"
    >
      Answer
    </Button>
  )
}

function AnswerForm({ review, onCancel }: { review: WrittenReview; onCancel: () => void }) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const [reply, setReply] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const focusWords = () => form.current?.querySelector('textarea')?.focus()
  useEffect(focusWords, [])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setRefusal(reply.trim() ? undefined : 'Write an answer first.')
    if (!reply.trim()) return focusWords()
    setBusy(true)
    try {
      await api('PUT /api/rating-reply', { body: { rating_id: review.id, reply } })
      toast({ title: 'Your answer is published', tone: 'success' })
      // The answer takes the form's place.
      await revalidate()
    } catch (error) {
      console.warn('Failed to publish answer', error)
      toast({ title: 'Failed to publish answer', text: describeError(error), tone: 'error' })
      if (error instanceof ApiError) setRefusal(error.fields['reply'])
    }
    setBusy(false)
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Answer to ${review.reviewer_name}`}
      onSubmit={(event) => void send(event)}
      className="mt-1.5 flex flex-col gap-3"
    >
      <Field
        name="reply"
        label="Your answer"
        help="You can answer a review once, and the answer stays as it is."
        error={refusal}
        aside={`${fullCount(reply.length)} / ${fullCount(MAX_REVIEW_LENGTH)}`}
      >
        {(aria) => <TextArea {...aria} value={reply} onChange={setReply} maxLength={MAX_REVIEW_LENGTH} />}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={isBusy} onClick={onCancel} className="max-sm:flex-1">
          Cancel
        </Button>
        <Button type="submit" variant="primary" aria-disabled={isBusy} className="min-w-32 max-sm:flex-1">
          {isBusy ? 'Publishing...' : 'Publish answer'}
        </Button>
      </div>
    </form>
  )
}
