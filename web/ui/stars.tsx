const STARS = [0, 1, 2, 3, 4]
const STAR_WIDTH = 24
const STAR = 'M12 2.6l2.9 5.88 6.49.94-4.7 4.58 1.11 6.46L12 17.41l-5.8 3.05 1.11-6.46-4.7-4.58 6.49-.94z'

/** Five stars, filled up to the rating: 4.5 fills half of the last. */
export function Stars({ rating, className = 'h-4' }: { rating: number; className?: string }) {
  const filled = Math.min(5, Math.max(0, rating)) * STAR_WIDTH
  return (
    <span className={`inline-flex shrink-0 ${className}`}>
      <span className="sr-only">{ratingLabel(rating)} out of 5 stars</span>
      <svg viewBox="0 0 120 24" aria-hidden className="h-full w-auto">
        <g className="fill-surface-3">
          <StarRow />
        </g>
        {/* A nested <svg> clips its content to its width. */}
        <svg width={filled} height="24" className="fill-star">
          <StarRow />
        </svg>
      </svg>
    </span>
  )
}

function StarRow() {
  return STARS.map((star) => <path key={star} d={STAR} transform={`translate(${star * STAR_WIDTH} 0)`} />)
}

function ratingLabel(rating: number): string {
  return Number.isInteger(rating) ? String(rating) : rating.toFixed(1)
}
