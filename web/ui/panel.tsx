import { type ReactNode, useId } from 'react'

/** A box with a heading. */
export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col rounded-md border border-line bg-surface-1">
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-1.5">
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        {aside}
      </div>
      <div className="min-w-0 p-4">{children}</div>
    </section>
  )
}
