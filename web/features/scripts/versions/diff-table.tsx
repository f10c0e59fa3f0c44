import { fullCount } from '#web/lib/numbers.ts'
import { splitHiddenCharacters } from '#web/features/scripts/hidden-characters.ts'
import type { Comparison, DiffLine, LineKind } from './compare.ts'

const rows: Record<LineKind, string> = {
  same: '',
  added: 'bg-success/15',
  removed: 'bg-danger/15',
  gap: 'bg-surface-2',
}
const signs: Record<LineKind, string> = { same: ' ', added: '+', removed: '-', gap: '' }
const spoken: Partial<Record<LineKind, string>> = { added: 'Added: ', removed: 'Removed: ' }
// What scrolls must be reachable, or the keyboard cannot scroll it.
const REACHED_BY_KEYBOARD = 0

/** A comparison line by line, told by sign and by word besides the colour. */
export function DiffTable({ comparison: { lines, added, removed, isCut, isRough } }: { comparison: Comparison }) {
  if (added === 0 && removed === 0) return <p className="text-muted">The code is the same in both.</p>
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface-1">
      <p className="flex flex-wrap gap-x-4 border-b border-line px-4 py-2 text-sm tabular-nums">
        <span className="text-success">
          {fullCount(added)} {added === 1 ? 'line' : 'lines'} added
        </span>
        <span className="text-danger">
          {fullCount(removed)} {removed === 1 ? 'line' : 'lines'} removed
        </span>
      </p>
      <section
        tabIndex={REACHED_BY_KEYBOARD}
        aria-label="Differences"
        className="max-h-160 overflow-auto focus-visible:-outline-offset-2"
      >
        <pre dir="ltr" className="w-max min-w-full py-2 font-mono text-sm/6 [font-variant-ligatures:none] [tab-size:4]">
          {Array.from(lines.entries(), ([index, line]) => (
            <Line key={index} line={line} />
          ))}
        </pre>
      </section>
      {(isCut || isRough) && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          {isRough ? 'The two are too different for a comparison line by line. ' : ''}
          {isCut ? 'Long lines and what follows after 2,000 lines are left out; Raw has the whole code.' : ''}
        </p>
      )}
    </div>
  )
}

function Line({ line: { kind, text, from, to } }: { line: DiffLine }) {
  if (kind === 'gap') return <span className={`block px-4 text-muted select-none ${rows.gap}`}>⋯</span>
  return (
    <span className={`flex ${rows[kind]}`}>
      <Number>{from}</Number>
      <Number>{to}</Number>
      <span aria-hidden className="w-6 shrink-0 text-center text-muted select-none">
        {signs[kind]}
      </span>
      {spoken[kind] && <span className="sr-only">{spoken[kind]}</span>}
      <code className="pr-4">
        {Array.from(splitHiddenCharacters(text).entries(), ([place, piece]) =>
          piece.hidden === null ? (
            piece.text
          ) : (
            <span key={place} className="rounded-sm border border-warning px-1 text-xs text-warning">
              {piece.hidden}
            </span>
          ),
        )}
        {text === '' ? ' ' : ''}
      </code>
    </span>
  )
}

function Number({ children }: { children: number | undefined }) {
  return <span className="w-10 shrink-0 pr-2 text-right text-muted tabular-nums select-none">{children}</span>
}
