import Star from 'lucide-react/icons/star'
import { ratingText } from '#web/lib/numbers.ts'

/** The average rating in a row of stats: a star and one decimal. Without ratings it says so, because 0.0 reads as the worst one. */
export function RatingStat({ average, count }: { average: number; count: number }) {
  if (count === 0) {
    return (
      <span className="inline-flex items-center gap-1">
        <Star aria-hidden className="size-4" />
        <span aria-hidden>New</span>
        <span className="sr-only">No ratings yet</span>
      </span>
    )
  }
  return (
    <span className="inline-flex items-center gap-1 tabular-nums">
      <Star aria-hidden className="size-4 fill-current text-star" />
      <span className="sr-only">Rating</span>
      {ratingText(average)}
      <span className="sr-only">{count === 1 ? 'from 1 rating' : `from ${count} ratings`}</span>
    </span>
  )
}
