import { type ReactNode, useId } from 'react'

export function Switch({
  label,
  help,
  isOn,
  onChange,
  disabled = false,
}: {
  label: string
  help?: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div className={`flex min-h-11 justify-between gap-4 py-1 ${help ? 'items-start' : 'items-center'}`}>
      <div className="min-w-0">
        <label htmlFor={id} className="block cursor-pointer font-medium">
          {label}
        </label>
        {help && (
          <p id={`${id}-help`} className="text-sm text-muted">
            {help}
          </p>
        )}
      </div>
      {/* The touch target is larger than the visible switch. */}
      <span className="relative -my-2 -mr-1 grid h-11 w-14 shrink-0 place-items-center">
        <input
          id={id}
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          disabled={disabled}
          aria-describedby={help ? `${id}-help` : undefined}
          onChange={(event) => onChange(event.target.checked)}
          className="peer absolute inset-0 cursor-pointer appearance-none rounded-md disabled:cursor-not-allowed"
        />
        <span
          aria-hidden
          className="pointer-events-none relative h-6 w-11 rounded-full border border-line-strong bg-surface-3 transition-colors peer-checked:border-accent-strong peer-checked:bg-accent-strong peer-disabled:opacity-60 before:absolute before:top-0.75 before:left-0.75 before:size-4 before:rounded-full before:bg-muted before:transition-transform peer-checked:before:translate-x-5 peer-checked:before:bg-on-accent motion-reduce:transition-none forced-colors:before:bg-[CanvasText] forced-colors:peer-checked:before:bg-[HighlightText]"
        />
      </span>
    </div>
  )
}
