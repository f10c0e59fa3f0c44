import { Link } from 'react-router'
import type { ResultOf } from '#contract/operations.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { Stars } from '#web/components/stars.tsx'
import { Panel } from '#web/ui/panel.tsx'

type Reviews = ResultOf<'GET /api/admin-user'>['reviews']

export function MemberReviews({ reviews }: { reviews: Reviews }) {
  return (
    <Panel title="Reviews">
      {reviews.length === 0 && <p className="text-muted">None written.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {reviews.map((review) => (
          <li key={review.id} className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Link
                to={`/scripts/${encodeURIComponent(review.script_slug)}`}
                className="min-w-0 font-medium wrap-anywhere hover:text-accent hover:underline"
              >
                <bdi>{review.script_title}</bdi>
              </Link>
              <Stars rating={review.rating} className="h-3.5" />
              <RelativeTime iso={review.created_at} className="text-sm text-muted" />
            </p>
            {review.review && (
              <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                {review.review}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
