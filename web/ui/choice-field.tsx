import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ReactNode } from 'react'
import { controlClass, Field } from './field.tsx'

export function ChoiceField<T extends string>({
  name,
  label,
  value,
  options,
  help,
  mark,
  disabled = false,
  onChange,
}: {
  name: string
  label: string
  value: T
  options: Readonly<Record<T, string>>
  help?: ReactNode
  mark?: string | undefined
  disabled?: boolean
  onChange: (value: T) => void
}) {
  return (
    <Field name={name} label={label} help={help} mark={mark}>
      {(aria) => (
        <span className="relative flex items-center">
          <select
            {...aria}
            value={value}
            disabled={disabled}
            autoComplete="off"
            onChange={(event) => onChange(event.target.value as T)}
            className={`h-11 cursor-pointer appearance-none pr-9 sm:h-10 [&>option]:bg-surface-1 ${controlClass}`}
          >
            {Object.entries<string>(options).map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden className="pointer-events-none absolute right-3 size-4 text-muted" />
        </span>
      )}
    </Field>
  )
}
