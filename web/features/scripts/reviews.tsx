import { useEffect, useRef, useState } from 'react'
import type { RatingSort } from '#contract/ratings.ts'
import { useSession } from '#web/lib/session.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Select } from '#web/ui/select.tsx'
import type { ScriptDetails } from './load-script.ts'
import { ReviewItem } from './review-item.tsx'
import { useSortedReviews } from './use-sorted-reviews.ts'
import { REVIEWS_SHOWN, type WrittenReview } from './written-reviews.ts'

const SORTS: Record<RatingSort, string> = { newest: 'Newest', highest: 'Highest', lowest: 'Lowest' }

/** The first written reviews, the rest on demand; without scripts all of them stand there. */
export function Reviews({ script, newest }: { script: ScriptDetails['script']; newest: readonly WrittenReview[] }) {
  const { sort, setSort, reviews } = useSortedReviews(script.id, newest)
  const isAuthor = useSession().user?.id === script.author_id
  const [isOpen, setOpen] = useState(false)
  const firstMore = useRef<HTMLLIElement>(null)
  // The button that had the focus is gone: reading goes on where the new reviews begin.
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
            <ReviewItem review={review} isAuthor={isAuthor} />
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
