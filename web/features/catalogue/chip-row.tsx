import RotateCcw from 'lucide-react/icons/rotate-ccw'
import X from 'lucide-react/icons/x'
import { Link } from 'react-router'
import { LinkButton } from '#web/ui/button.tsx'
import { DEFAULT_STATE } from './browse-state.ts'
import { chipsOf } from './chips.ts'
import type { Browse } from './use-browse.ts'

/** What is on, each with the way to take it off, and the way to take off everything. */
export function ChipRow({ browse: { state, hrefOf } }: { browse: Browse }) {
  const chips = chipsOf(state)
  if (chips.length === 0) return null
  return (
    <ul aria-label="What is on" className="flex flex-wrap gap-2">
      {chips.map(({ key, label, without }) => (
        <li key={key} className="max-w-full">
          <Link
            to={hrefOf(without)}
            preventScrollReset
            className="inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-full bg-accent-soft pr-2.5 pl-3 text-accent hover:bg-surface-3 sm:min-h-8"
          >
            <span className="sr-only">Remove </span>
            <bdi className="truncate">{label}</bdi>
            <X aria-hidden className="size-4 shrink-0" />
          </Link>
        </li>
      ))}
      <li>
        <LinkButton to={hrefOf(DEFAULT_STATE)} preventScrollReset variant="ghost" size="sm">
          <RotateCcw aria-hidden className="size-4" />
          Reset
        </LinkButton>
      </li>
    </ul>
  )
}
