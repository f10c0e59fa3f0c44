import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ReactNode, SelectHTMLAttributes } from 'react'

interface Props<T extends string> extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'> {
  label: string
  value: T
  options?: Readonly<Partial<Record<T, string>>>
  /** Options in groups, instead of `options`. */
  children?: ReactNode
  onChange: (value: T) => void
  /** Shows the label on phones too, for options that are unclear without it. */
  isLabelAlwaysVisible?: boolean
}

/** A native select with its label inside the border. As wide as its longest option, if there is room. */
export function Select<T extends string>({
  label,
  value,
  options,
  children,
  onChange,
  isLabelAlwaysVisible = false,
  ...rest
}: Props<T>) {
  return (
    <label
      className={`relative inline-flex max-w-full ${isLabelAlwaysVisible ? 'max-sm:flex-1' : ''} h-11 shrink-0 items-center rounded-sm border border-line bg-surface-2 text-sm focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-surface-3 sm:h-10`}
    >
      <span className={`pl-3 whitespace-nowrap text-muted ${isLabelAlwaysVisible ? '' : 'max-sm:sr-only'}`}>
        {label}
      </span>
      <select
        {...rest}
        value={value}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value as T)}
        className={`-my-px h-11 w-full cursor-pointer appearance-none rounded-sm bg-transparent pr-8 text-ellipsis ${isLabelAlwaysVisible ? 'pl-1.5' : 'pl-3 sm:pl-1.5'} font-medium text-text outline-none sm:h-10 [&_:is(option,optgroup)]:bg-surface-2`}
      >
        {children}
        {(Object.entries(options ?? {}) as [T, string][]).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute right-2.5 size-4 text-muted" />
    </label>
  )
}
