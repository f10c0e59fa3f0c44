import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'

/** What can be done with the selected rows, laid over the page's foot so that nothing moves. */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number
  onClear: () => void
  children: ReactNode
}) {
  return (
    <>
      <output className="sr-only">{count > 0 ? `${count} selected` : ''}</output>
      {count > 0 && (
        <section
          aria-label="Selection"
          className="fixed inset-x-4 bottom-4 z-30 mx-auto flex max-w-xl flex-wrap items-center gap-2 rounded-md border border-line-strong bg-surface-1 p-2 pl-4 shadow-raised"
        >
          <p aria-hidden className="mr-auto font-medium tabular-nums">
            {count} selected
          </p>
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear
          </Button>
          {children}
        </section>
      )}
    </>
  )
}
