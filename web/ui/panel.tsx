import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  heading?: 'h2' | 'h3'
  aside?: ReactNode
  children: ReactNode
}

export function Panel({ title, heading: Heading = 'h3', aside, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col rounded-md border border-line bg-surface-1">
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-1.5">
        <Heading id={id} className="font-semibold">
          {title}
        </Heading>
        {aside}
      </div>
      <div className="min-w-0 p-4">{children}</div>
    </section>
  )
}
