import Star from 'lucide-react/icons/star'
import { type ReactNode, useId, useState } from 'react'

const STARS = [1, 2, 3, 4, 5]
const WORDS = ['', 'Poor', 'Fair', 'Good', 'Very good', 'Excellent']

interface Props {
  legend: string
  /** 0 while none is chosen. */
  value: number
  onChange: (value: number) => void
  /** What is wrong, to stand below. */
  error?: ReactNode
}

/** One to five stars: radio buttons, so that arrow keys, a press and a touch all choose as they do everywhere. */
export function StarInput({ legend, value, onChange, error }: Props) {
  const id = useId()
  const [pointed, setPointed] = useState(0)
  const shown = pointed || value
  return (
    <fieldset
      role="radiogroup"
      data-field="rating"
      aria-required
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
      className="min-w-0"
    >
      <legend className="font-medium">{legend}</legend>
      <div className="flex flex-wrap items-center gap-x-3">
        <div className="-ml-2.5 flex" onPointerLeave={() => setPointed(0)}>
          {STARS.map((stars) => (
            <label
              key={stars}
              onPointerEnter={({ pointerType }) => setPointed(pointerType === 'mouse' ? stars : 0)}
              className="relative grid size-11 place-items-center"
            >
              <input
                type="radio"
                name={id}
                value={stars}
                checked={stars === value}
                onChange={() => onChange(stars)}
                className="absolute inset-0 cursor-pointer appearance-none rounded-sm"
              />
              <Star
                aria-hidden
                className={`pointer-events-none relative size-7 ${stars <= shown ? 'fill-current text-star' : 'text-line-strong'}`}
              />
              <span className="sr-only">{stars === 1 ? '1 star' : `${stars} stars`}</span>
            </label>
          ))}
        </div>
        <span aria-hidden className="text-muted">
          {WORDS[shown]}
        </span>
      </div>
      {error && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
