import { type ReactNode, useState } from 'react'
import { CodeLine } from './code-line.tsx'
import type { CodeLine as Line, Preview } from './preview.ts'
import { useHighlighted } from './use-highlighted.ts'

// What scrolls must be reachable, or the keyboard cannot scroll it.
const REACHED_BY_KEYBOARD = 0

/** The beginning of the code in a frame that scrolls by itself, with line numbers and a switch for wrapping. */
export function CodeFrame({
  preview,
  fileName,
  children,
}: {
  preview: Preview
  fileName: string
  children: ReactNode
}) {
  const [isWrapped, setWrapped] = useState(false)
  const { lines, isCut } = useHighlighted(preview)
  const shown = isCut ? withEllipsis(lines) : lines
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface-1">
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-1.5 pr-2 pl-4">
        <p dir="ltr" className="min-w-0 flex-1 truncate font-mono text-sm text-muted">
          {fileName}
        </p>
        <label className="flex min-h-11 cursor-pointer items-center gap-2 px-2 text-sm noscript:hidden sm:min-h-8">
          <input
            type="checkbox"
            checked={isWrapped}
            onChange={(event) => setWrapped(event.target.checked)}
            className="size-4 accent-accent"
          />
          Wrap lines
        </label>
        {children}
      </div>
      <section
        tabIndex={REACHED_BY_KEYBOARD}
        aria-label="Script preview"
        className="relative max-h-160 overflow-auto focus-visible:-outline-offset-2"
      >
        <pre className="min-w-full py-3 font-mono text-sm/6 [font-variant-ligatures:none] [tab-size:4]">
          <code
            className={
              isWrapped
                ? 'relative block whitespace-pre-wrap wrap-anywhere [counter-reset:line]'
                : 'relative block w-max min-w-full [counter-reset:line]'
            }
          >
            {Array.from(shown.entries(), ([index, line]) => (
              <CodeLine key={index} line={line} isLast={index === shown.length - 1} />
            ))}
          </code>
        </pre>
      </section>
      {isCut && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          The first 2,000 characters. Copy and Download take the whole script.
        </p>
      )}
      {preview.hasHiddenCharacters && (
        <p className="border-t border-line px-4 py-2 text-sm text-warning">
          This script contains characters that are invisible or change the direction of writing. The preview shows each
          by its code.
        </p>
      )}
    </div>
  )
}

function withEllipsis(lines: readonly Line[]): Line[] {
  return [...lines.slice(0, -1), [...(lines.at(-1) ?? []), ['text', '…']]]
}
