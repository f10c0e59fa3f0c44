import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useRevalidator } from '#web/router/router.tsx'
import type { CurrentUser } from '#contract/accounts.ts'
import { MAX_REVIEW_LENGTH } from '#contract/limits.ts'
import { MemberMenu } from '#web/shared/blocks/member-menu.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { HelpfulButton } from '#web/shared/helpful-button.tsx'
import type { WrittenReview } from './script-details.ts'

interface MenuProps {
  review: WrittenReview
  user: CurrentUser
  /** Called when it is known whether the viewer has blocked the reviewer. */
  onBlocked: (isBlocked: boolean) => void
}

/** The menu with which members report a review or block its author. */
export function ReviewMenu({ review, user, onBlocked }: MenuProps) {
  const { revalidate } = useRevalidator()
  const { id, reviewer_name, reviewer_slug } = review
  return (
    <MemberMenu
      subject={{ type: 'review', id, title: `Review by ${reviewer_name}` }}
      isOwn={user.slug === reviewer_slug}
      member={{ slug: reviewer_slug, name: reviewer_name }}
      onHidden={() => void revalidate()}
      onBlocked={onBlocked}
    />
  )
}

/** The reviews of a script that a member found helpful, loaded once for all of them. */
const helpfulReviews = new Map<string, Promise<ReadonlySet<number>>>()

function findHelpful(api: Api, scriptId: number, memberId: number): Promise<ReadonlySet<number>> {
  const key = `${scriptId} ${memberId}`
  const request =
    helpfulReviews.get(key) ??
    api('GET /api/own-helpful', { query: { id: scriptId } }).then(({ reviews }) => new Set(reviews))
  helpfulReviews.clear()
  helpfulReviews.set(key, request)
  // Another attempt after a failure.
  request.catch(() => helpfulReviews.delete(key))
  return request
}

interface ActionsProps {
  review: WrittenReview
  scriptId: number
  user: CurrentUser
  canReply: boolean
}

/** The actions of members below a review. */
export function ReviewActions({ review, scriptId, user, canReply }: ActionsProps) {
  const api = useApi()
  const { id, reviewer_name, reviewer_slug, helpful_count } = review
  const [isHelpful, setHelpful] = useState(false)
  const [count, setCount] = useState(helpful_count)
  useEffect(() => {
    let isStale = false
    findHelpful(api, scriptId, user.id).then(
      (reviews) => isStale || setHelpful(reviews.has(id)),
      () => undefined,
    )
    return () => {
      isStale = true
    }
  }, [api, scriptId, user.id, id])
  return (
    <div className="-ml-3 flex flex-wrap items-center gap-1">
      <HelpfulButton
        subject={{ type: 'review', id }}
        name={reviewer_name}
        isOwn={reviewer_slug === user.slug}
        isHelpful={isHelpful}
        count={count}
        onChanged={(next, total) => {
          setHelpful(next)
          setCount(total)
          helpfulReviews.clear()
        }}
      />
      {canReply && <ReviewReply review={review} />}
    </div>
  )
}

/** The button and form with which an author replies to a review. */
function ReviewReply({ review }: { review: WrittenReview }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(() => setOpen(false))
    opener.current?.focus()
  }
  if (isOpen) return <ReplyForm review={review} onCancel={close} />
  return (
    <Button
      ref={opener}
      size="sm"
      variant="ghost"
      aria-label={`Reply to ${review.reviewer_name}`}
      onClick={() => setOpen(true)}
    >
      Reply
    </Button>
  )
}

function ReplyForm({ review, onCancel }: { review: WrittenReview; onCancel: () => void }) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const [reply, setReply] = useState('')
  const [replyError, setReplyError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const focusReply = () => form.current?.querySelector('textarea')?.focus()
  useEffect(focusReply, [])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setReplyError(reply.trim() ? undefined : 'Write a reply first.')
    if (!reply.trim()) return focusReply()
    setBusy(true)
    try {
      await api('PUT /api/rating-reply', { body: { rating_id: review.id, reply } })
      toast({ title: 'Reply published', tone: 'success' })
      // The published reply replaces this form.
      await revalidate()
    } catch (error) {
      console.warn('Failed to publish reply', error)
      toast({ title: 'Failed to publish reply', text: describeError(error), tone: 'error' })
      if (error instanceof ApiError) setReplyError(error.fields['reply'])
    }
    setBusy(false)
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Reply to ${review.reviewer_name}`}
      onSubmit={(event) => void send(event)}
      className="mt-1.5 ml-3 flex basis-full flex-col gap-3"
    >
      <Field
        name="reply"
        label="Your reply"
        help="You can reply once, and replies can't be edited."
        error={replyError}
        aside={`${fullCount(reply.length)} / ${fullCount(MAX_REVIEW_LENGTH)}`}
      >
        {(aria) => <TextArea {...aria} value={reply} onChange={setReply} maxLength={MAX_REVIEW_LENGTH} />}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={isBusy} onClick={onCancel} className="max-sm:flex-1">
          Cancel
        </Button>
        <Button type="submit" variant="primary" aria-disabled={isBusy} className="min-w-32 max-sm:flex-1">
          {isBusy ? 'Publishing...' : 'Publish reply'}
        </Button>
      </div>
    </form>
  )
}
