import { Suspense } from 'react'
import { Link } from 'react-router'
import { MemberAvatar } from '#web/components/member-avatar.tsx'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { Stars } from '#web/components/stars.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useSession } from '#web/lib/session.tsx'
import type { WrittenReview } from './written-reviews.ts'

const AnswerReview = lazyComponent(async () => (await import('./answer-review.tsx')).AnswerReview)

const ReviewReport = lazyComponent(async () => (await import('./review-report.tsx')).ReviewReport)

const words = 'max-w-prose wrap-anywhere whitespace-pre-wrap'

/** What one member wrote, and the author's answer; the author finds the way to answer there. */
export function ReviewItem({ review, isAuthor }: { review: WrittenReview; isAuthor: boolean }) {
  const { user } = useSession()
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
        <p dir="auto" className={words}>
          {review.review}
        </p>
        {reply && replied_at && (
          <div className="mt-1.5 flex flex-col gap-1 border-l-2 border-line-strong pl-3">
            <p className="text-sm text-muted">
              <span className="font-medium text-text">Answer of the author</span> <RelativeTime iso={replied_at} />
            </p>
            <p dir="auto" className={words}>
              {reply}
            </p>
          </div>
        )}
        {isAuthor && !reply && (
          <Suspense>
            <AnswerReview review={review} />
          </Suspense>
        )}
      </div>
      {/* Its place is kept, so that nothing moves when it comes. */}
      <div className="-mt-2.5 w-11 shrink-0 sm:w-10">
        {user && (
          <Suspense>
            <ReviewReport review={review} user={user} />
          </Suspense>
        )}
      </div>
    </article>
  )
}
