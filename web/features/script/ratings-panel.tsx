import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, useRevalidator } from '#web/router/router.tsx'
import type { RatingSort, RatingSummary } from '#contract/ratings.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { RichText } from '#web/shared/markdown/rich-text.tsx'
import { SessionSlot } from '#web/shared/sign-in/session-slot.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { fullCount, ratingText } from '#web/lib/numbers.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Select } from '#web/ui/select.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { formatReviews, type PageScript, type Ratings, type WrittenReview } from './script-details.ts'

const RatingSlot = lazyComponent(async () => (await import('./member-slots.tsx')).RatingSlot)
const loadReviewTools = () => import('./review-tools.tsx')
const ReviewActions = lazyComponent(async () => (await loadReviewTools()).ReviewActions)
const ReviewMenu = lazyComponent(async () => (await loadReviewTools()).ReviewMenu)

const REVIEWS_SHOWN = 5
const SORTS: Record<RatingSort, string> = { newest: 'Newest', highest: 'Highest', lowest: 'Lowest' }

/** The rating summary, the member's own rating and the reviews. */
export function RatingsPanel({ script, ratings }: { script: PageScript; ratings: Ratings | null }) {
  const isOwn = useUser()?.id === script.author_id
  if (!ratings) return <LoadFailure />
  const { summary, reviews } = ratings
  const count = summary.rating_count
  return (
    <div className="flex flex-col gap-6">
      {count > 0 && <Summary summary={summary} />}
      {reviews.length === 0 && (
        <p className="flex gap-2 text-muted">
          {count === 0 && <span className="font-semibold tabular-nums">{ratingText(summary.average_rating)}</span>}
          <span>{count > 0 ? 'No reviews yet.' : 'No ratings yet.'}</span>
        </p>
      )}
      {/* An author without reviews has nothing to do here. */}
      {(!isOwn || reviews.length > 0) && (
        <div className="flex min-h-11 flex-col noscript:hidden sm:min-h-10">
          <SessionSlot>
            <RatingSlot script={script} />
          </SessionSlot>
        </div>
      )}
      {reviews.length > 0 && <Reviews script={script} newest={reviews} />}
    </div>
  )
}

function Summary({ summary }: { summary: RatingSummary }) {
  const { average_rating, rating_count } = summary
  return (
    <div className="flex flex-col gap-6 rounded-md border border-line bg-surface-1 p-5 sm:flex-row sm:items-center sm:gap-10">
      <div className="flex flex-col gap-1">
        <p className="text-[32px] leading-none font-semibold tabular-nums">{ratingText(average_rating)}</p>
        <Stars rating={average_rating} className="h-5 self-start" />
        <p className="text-sm text-muted">{rating_count === 1 ? '1 rating' : `${fullCount(rating_count)} ratings`}</p>
      </div>
      <RatingBars summary={summary} />
    </div>
  )
}

function LoadFailure() {
  const { revalidate, state } = useRevalidator()
  return (
    <div className="flex flex-col items-start gap-3 rounded-md border border-line bg-surface-1 p-5">
      <p>Couldn't load ratings.</p>
      <Button onClick={() => void revalidate()} disabled={state === 'loading'} className="noscript:hidden">
        Try again
      </Button>
    </div>
  )
}

/** The number of ratings by stars. SVG bars, because the content security policy blocks style attributes. */
function RatingBars({ summary }: { summary: RatingSummary }) {
  const rows = [
    [5, summary.five_star],
    [4, summary.four_star],
    [3, summary.three_star],
    [2, summary.two_star],
    [1, summary.one_star],
  ] as const
  return (
    <ul className="flex w-full max-w-xl flex-col gap-1.5 text-sm">
      {rows.map(([stars, count]) => (
        <li key={stars} className="flex items-center gap-3">
          <span className="w-14 shrink-0 text-muted">{stars === 1 ? '1 star' : `${stars} stars`}</span>
          <svg
            viewBox="0 0 100 8"
            preserveAspectRatio="none"
            aria-hidden
            className="h-2 min-w-0 flex-1 rounded-full bg-surface-3"
          >
            <rect height="8" width={(100 * count) / summary.rating_count} className="fill-star" />
          </svg>
          <span className="w-12 shrink-0 text-right text-muted tabular-nums">
            {fullCount(count)}
            <span className="sr-only">{count === 1 ? ' rating' : ' ratings'}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The first reviews, with a button for the rest. Without JavaScript all are visible. */
function Reviews({ script, newest }: { script: PageScript; newest: readonly WrittenReview[] }) {
  const { sort, setSort, reviews } = useSortedReviews(script.id, newest)
  const isAuthor = useUser()?.id === script.author_id
  const [isOpen, setOpen] = useState(false)
  const firstMore = useRef<HTMLLIElement>(null)
  // Moves the focus from the removed button to the first revealed review.
  useEffect(() => {
    if (isOpen) firstMore.current?.focus({ preventScroll: true })
  }, [isOpen])
  const more = reviews.length - REVIEWS_SHOWN
  return (
    <div className="flex flex-col">
      <div className="flex min-h-11 items-center justify-between gap-4 pb-3">
        <h3 className="text-base font-semibold">Reviews</h3>
        {newest.length > 1 && (
          <span className="noscript:hidden">
            <Select label="Sort" value={sort} options={SORTS} onChange={setSort} />
          </span>
        )}
      </div>
      <ul className="flex flex-col">
        {reviews.map((review, index) => (
          <li
            key={review.id}
            ref={index === REVIEWS_SHOWN ? firstMore : undefined}
            tabIndex={index === REVIEWS_SHOWN && isOpen ? -1 : undefined}
            className={`border-t border-line py-5 focus:outline-none ${index < REVIEWS_SHOWN || isOpen ? '' : 'hidden noscript:block'}`}
          >
            <ReviewItem review={review} scriptId={script.id} isAuthor={isAuthor} />
          </li>
        ))}
      </ul>
      {more > 0 && !isOpen && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className={buttonClass('secondary', 'md', 'self-start noscript:hidden')}
        >
          {more === 1 ? 'Show 1 more review' : `Show ${more} more reviews`}
        </button>
      )}
    </div>
  )
}

interface Sorted {
  sort: RatingSort
  newest: readonly WrittenReview[]
  reviews: readonly WrittenReview[]
}

/** Reviews in the chosen order. The page has the newest; other orders are loaded, because there may be more reviews. */
function useSortedReviews(id: number, newest: readonly WrittenReview[]) {
  const api = useApi()
  const toast = useToast()
  const [sort, setSort] = useState<RatingSort>('newest')
  const [sorted, setSorted] = useState<Sorted>()
  useEffect(() => {
    if (sort === 'newest') return undefined
    const controller = new AbortController()
    const load = async () => {
      const { ratings } = await api('GET /api/script-rating', { query: { id, sort }, signal: controller.signal })
      setSorted({ sort, newest, reviews: await formatReviews(ratings) })
    }
    load().catch(() => {
      if (controller.signal.aborted) return
      setSort('newest')
      toast({ title: "Couldn't sort the reviews", tone: 'error' })
    })
    return () => controller.abort()
  }, [api, id, newest, sort, toast])
  const isSorted = sort !== 'newest' && sorted?.sort === sort && sorted.newest === newest
  return { sort, setSort, reviews: isSorted ? sorted.reviews : newest }
}

/** A review with the author's reply, or the reply button for the author. */
function ReviewItem({ review, scriptId, isAuthor }: { review: WrittenReview; scriptId: number; isAuthor: boolean }) {
  const user = useUser()
  // True for a member whom the viewer has blocked.
  const [isCollapsed, setCollapsed] = useState(false)
  const { reviewer_name, reviewer_slug, reviewer_avatar, edited_at, reply, replied_at } = review
  return (
    <article className="flex gap-3">
      <MemberAvatar member={{ author_avatar: reviewer_avatar }} name={reviewer_name} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h4 className="min-w-0 font-semibold wrap-anywhere">
            {reviewer_slug ? (
              <Link
                to={`/profile/${encodeURIComponent(reviewer_slug)}`}
                className="relative after:absolute after:inset-x-0 after:-inset-y-3.5 hover:text-accent hover:underline"
              >
                <bdi>{reviewer_name}</bdi>
              </Link>
            ) : (
              <bdi>{reviewer_name}</bdi>
            )}
          </h4>
          <Stars rating={review.rating} className="h-3.5" />
          <span className="text-sm text-muted">
            <RelativeTime iso={review.created_at} />
            {edited_at && (
              <>
                , edited <RelativeTime iso={edited_at} />
              </>
            )}
          </span>
        </div>
        {isCollapsed ? (
          <Button size="sm" variant="ghost" onClick={() => setCollapsed(false)} className="-ml-3 self-start">
            You blocked this member. Show the review
          </Button>
        ) : (
          <>
            <RichText nodes={review.review} className="max-w-prose" />
            {reply && replied_at && (
              <div className="mt-1.5 flex flex-col gap-1 border-l-2 border-line-strong pl-3">
                <p className="text-sm text-muted">
                  <span className="font-medium text-text">Author's reply</span> <RelativeTime iso={replied_at} />
                </p>
                <RichText nodes={reply} className="max-w-prose" />
              </div>
            )}
          </>
        )}
        {user ? (
          <Suspense>
            <ReviewActions review={review} scriptId={scriptId} user={user} canReply={isAuthor && !reply} />
          </Suspense>
        ) : (
          review.helpful_count > 0 && <p className="text-sm text-muted">Helpful {review.helpful_count}</p>
        )}
      </div>
      {/* Fixed width to avoid a layout shift when the menu is loaded. */}
      <div className="-mt-2.5 w-11 shrink-0 sm:w-10">
        {user && (
          <Suspense>
            <ReviewMenu review={review} user={user} onBlocked={setCollapsed} />
          </Suspense>
        )}
      </div>
    </article>
  )
}
