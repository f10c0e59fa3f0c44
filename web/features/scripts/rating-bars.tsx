import type { RatingSummary } from '#contract/ratings.ts'
import { fullCount } from '#web/lib/numbers.ts'

/** How many gave each number of stars, the best first. The bars are pictures: no style attribute may stand in a page. */
export function RatingBars({ summary }: { summary: RatingSummary }) {
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
            <rect
              height="8"
              width={summary.rating_count > 0 ? (100 * count) / summary.rating_count : 0}
              className="fill-star"
            />
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
