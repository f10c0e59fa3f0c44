import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Something to know before using a script. */
export function Notice({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 rounded-md border border-line bg-surface-1 p-4">
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
