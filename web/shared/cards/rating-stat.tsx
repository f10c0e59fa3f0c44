import Star from 'lucide-react/icons/star'
import { ratingText } from '#web/lib/numbers.ts'

interface Props {
  average: number
  count: number
  /** Shown beside 0.0 if there are no ratings. */
  unrated?: string
}

/** The average rating in a row of stats: a star and one decimal. */
export function RatingStat({ average, count, unrated = 'New' }: Props) {
  return (
    <span className="inline-flex items-center gap-1 tabular-nums">
      <Star aria-hidden className={count > 0 ? 'size-4 fill-current text-star' : 'size-4'} />
      <span className="sr-only">Rating</span>
      {ratingText(average)}
      <span className="sr-only">{describeCount(count)}</span>
      {count === 0 && <span aria-hidden>{unrated}</span>}
    </span>
  )
}

function describeCount(count: number): string {
  if (count === 0) return '(no ratings yet)'
  return count === 1 ? 'from 1 rating' : `from ${count} ratings`
}
