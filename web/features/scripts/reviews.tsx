import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { MemberAvatar } from '../../components/member-avatar.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Stars } from '../../components/stars.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { REVIEWS_SHOWN, type WrittenReview } from './written-reviews.ts'

/** The first written reviews, the rest on demand; without scripts all of them stand there. */
export function Reviews({ reviews }: { reviews: readonly WrittenReview[] }) {
  const [isOpen, setOpen] = useState(false)
  const firstMore = useRef<HTMLLIElement>(null)
  // The button that had the focus is gone: reading goes on where the new reviews begin.
  useEffect(() => {
    if (isOpen) firstMore.current?.focus({ preventScroll: true })
  }, [isOpen])
  const more = reviews.length - REVIEWS_SHOWN
  return (
    <>
      <ul className="flex flex-col">
        {reviews.map((review, index) => (
          <li
            key={review.id}
            ref={index === REVIEWS_SHOWN ? firstMore : undefined}
            tabIndex={index === REVIEWS_SHOWN && isOpen ? -1 : undefined}
            className={`border-t border-line py-5 focus:outline-none ${index < REVIEWS_SHOWN || isOpen ? '' : 'hidden noscript:block'}`}
          >
            <ReviewItem review={review} />
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
    </>
  )
}

function ReviewItem({ review }: { review: WrittenReview }) {
  const { reviewer_name, reviewer_slug, reviewer_avatar } = review
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
          <RelativeTime iso={review.created_at} className="text-sm text-muted" />
        </div>
        <p dir="auto" className="max-w-prose wrap-anywhere whitespace-pre-wrap">
          {review.review}
        </p>
      </div>
    </article>
  )
}
