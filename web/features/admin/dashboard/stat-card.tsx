import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** One figure, with what it counts above and a word on it below. */
export function StatCard({
  icon: Icon,
  label,
  value,
  help,
  children,
}: {
  icon: LucideIcon
  label: string
  value: string
  help?: ReactNode
  children?: ReactNode
}) {
  return (
    <section aria-label={label} className="flex h-full flex-col gap-1 rounded-md border border-line bg-surface-1 p-4">
      <h3 className="flex items-center justify-between gap-2 font-medium text-muted">
        {label}
        <Icon aria-hidden className="size-5 shrink-0" />
      </h3>
      <p className="text-[32px] leading-tight font-semibold tabular-nums">{value}</p>
      {help && <p className="text-muted">{help}</p>}
      {children}
    </section>
  )
}
