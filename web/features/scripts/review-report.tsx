import { useRevalidator } from 'react-router'
import type { CurrentUser } from '#contract/accounts.ts'
import { ReportMenu } from '#web/components/report/report-menu.tsx'
import type { WrittenReview } from './written-reviews.ts'

/** The way to report a review, at its end. */
export function ReviewReport({ review, user }: { review: WrittenReview; user: CurrentUser }) {
  const { revalidate } = useRevalidator()
  const { id, reviewer_name, reviewer_slug } = review
  return (
    <ReportMenu
      subject={{ type: 'review', id, title: `Review by ${reviewer_name}` }}
      isOwn={user.slug === reviewer_slug}
      onHidden={() => void revalidate()}
    />
  )
}
