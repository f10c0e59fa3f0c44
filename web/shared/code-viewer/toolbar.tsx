import Search from 'lucide-react/icons/search'
import { type ReactNode, useId } from 'react'
import { Button } from '#web/ui/button.tsx'

export type View = 'original' | 'formatted'

export const barClass = 'flex flex-wrap items-center gap-x-1 gap-y-1 border-b border-line py-1.5 pr-2 pl-4'

interface ToolbarProps {
  fileName: string
  view: View
  isFormatting: boolean
  onView: (view: View) => void
  isWrapped: boolean
  onWrap: (isWrapped: boolean) => void
  isSearching: boolean
  /** Opens or closes the search. */
  onFind: () => void
  children: ReactNode
}

/** The name of the file, and how its code is shown. */
export function Toolbar(props: ToolbarProps) {
  const { fileName, view, isFormatting, onView, isWrapped, onWrap, isSearching, onFind, children } = props
  return (
    <div className={barClass}>
      <p dir="ltr" className="min-w-24 flex-1 truncate font-mono text-sm text-muted">
        {fileName}
      </p>
      <ViewSwitch view={view} isBusy={isFormatting} onChange={onView} />
      <label className="flex min-h-11 cursor-pointer items-center gap-2 px-2 text-sm sm:min-h-8">
        <input
          type="checkbox"
          checked={isWrapped}
          onChange={(event) => onWrap(event.target.checked)}
          className="size-4 accent-accent"
        />
        Wrap lines
      </label>
      <Button variant="ghost" size="sm" aria-expanded={isSearching} onClick={onFind}>
        <Search aria-hidden className="size-4" />
        Find
      </Button>
      {children}
    </div>
  )
}

function ViewSwitch({ view, isBusy, onChange }: { view: View; isBusy: boolean; onChange: (view: View) => void }) {
  const name = useId()
  const labels: Record<View, string> = { original: 'Original', formatted: isBusy ? 'Formatting...' : 'Formatted' }
  return (
    <fieldset className="flex rounded-sm border border-line bg-surface-0 text-sm">
      <legend className="sr-only">Layout of the code</legend>
      {(['original', 'formatted'] as const).map((option) => (
        <label
          key={option}
          className="flex min-h-11 cursor-pointer items-center rounded-sm px-3 text-muted has-checked:bg-surface-3 has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent sm:min-h-8"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={view === option}
            onChange={() => onChange(option)}
          />
          {labels[option]}
        </label>
      ))}
    </fieldset>
  )
}
