import { useRevalidator } from 'react-router'
import { Stars } from '#web/components/stars.tsx'
import { fullCount, ratingText } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Extra } from './extra.tsx'
import type { Ratings, ScriptDetails } from './load-script.ts'
import { RatingBars } from './rating-bars.tsx'
import { Reviews } from './reviews.tsx'

/** The average, how the ratings spread, and the written reviews. */
export function RatingsPanel({ script, ratings }: { script: ScriptDetails['script']; ratings: Ratings | null }) {
  if (!ratings) return <RatingsFailed />
  const { summary, reviews } = ratings
  const count = summary.rating_count
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-6 rounded-md border border-line bg-surface-1 p-5 sm:flex-row sm:items-center sm:gap-10">
        <div className="flex flex-col gap-1">
          <p className="text-[32px] leading-none font-semibold tabular-nums">{ratingText(summary.average_rating)}</p>
          <Stars rating={summary.average_rating} className="h-5 self-start" />
          <p className="text-sm text-muted">{count === 1 ? '1 rating' : `${fullCount(count)} ratings`}</p>
        </div>
        <RatingBars summary={summary} />
      </div>
      <div className="flex min-h-11 flex-col noscript:hidden sm:min-h-10">
        <Extra part="rating" script={script} />
      </div>
      {reviews.length > 0 ? (
        <Reviews script={script} newest={reviews} />
      ) : (
        <p className="text-muted">
          {count > 0 ? 'Nobody has written a review of this script yet.' : 'Nobody has rated this script yet.'}
        </p>
      )}
    </div>
  )
}

function RatingsFailed() {
  const { revalidate, state } = useRevalidator()
  return (
    <div className="flex flex-col items-start gap-3 rounded-md border border-line bg-surface-1 p-5">
      <p>The ratings could not be loaded. The script itself is all here.</p>
      <Button onClick={() => void revalidate()} disabled={state === 'loading'} className="noscript:hidden">
        Try again
      </Button>
    </div>
  )
}
