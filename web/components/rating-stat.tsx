import Star from 'lucide-react/icons/star'
import { ratingText } from '#web/lib/numbers.ts'

/** The average rating in a row of stats: a star and one decimal, 0.0 when there are no ratings. */
export function RatingStat({ average, count }: { average: number; count: number }) {
  return (
    <span className="inline-flex items-center gap-1 tabular-nums">
      <Star aria-hidden className={count > 0 ? 'size-4 fill-current text-star' : 'size-4'} />
      <span className="sr-only">Rating</span>
      {ratingText(average)}
      <span className="sr-only">{count === 1 ? 'from 1 rating' : `from ${count} ratings`}</span>
    </span>
  )
}
