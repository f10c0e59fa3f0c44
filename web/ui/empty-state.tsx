import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Replaces an empty list: what is missing, and what to do. */
export function EmptyState({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: LucideIcon
  title: string
  text: string
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center rounded-md border border-dashed border-line px-4 py-16 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon aria-hidden className="size-7" />
      </span>
      <h2 className="mt-4 text-base font-semibold">{title}</h2>
      <p className="mt-1 max-w-prose text-muted wrap-anywhere">{text}</p>
      {children && <div className="mt-6 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  )
}
