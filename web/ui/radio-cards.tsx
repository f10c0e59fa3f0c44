import type { LucideIcon } from 'lucide-react'
import { useId } from 'react'

export interface RadioCard<T extends string> {
  value: T
  label: string
  text: string
  icon: LucideIcon
}

export function RadioCards<T extends string>({
  legend,
  value,
  cards,
  onChange,
}: {
  legend: string
  /** Undefined while nothing is chosen. */
  value: T | undefined
  cards: readonly RadioCard<T>[]
  onChange: (value: T) => void
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 font-medium">{legend}</legend>
      <div className={`grid gap-2 sm:grid-cols-2 ${cards.length === 3 ? 'md:grid-cols-3' : ''}`}>
        {cards.map(({ value: option, label, text, icon: Icon }) => (
          <label
            key={option}
            className="relative flex min-h-11 cursor-pointer items-start gap-3 rounded-md border border-line bg-surface-1 p-3 hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              aria-describedby={`${name}-${option}`}
              onChange={() => onChange(option)}
              className="mt-0.5 size-4 shrink-0 accent-accent-strong outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{label}</span>
              <span id={`${name}-${option}`} className="block text-sm text-muted">
                {text}
              </span>
            </span>
            <Icon aria-hidden className="size-5 shrink-0 text-muted" />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
