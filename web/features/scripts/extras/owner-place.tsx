import { Suspense } from 'react'
import { useRevalidator } from 'react-router'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useSession } from '#web/lib/session.tsx'
import type { ScriptDetails } from '#web/features/scripts/load-script.ts'

// Without its code the page is a visitor's: all is there to read.
const OwnerTools = lazyComponent(async () => (await import('#web/features/scripts/owner-tools.tsx')).OwnerTools)
const ReportButtons = lazyComponent(async () => (await import('#web/components/report/report-menu.tsx')).ReportButtons)

/** What the author can do, and what others can do about the script, in a place that is empty for visitors. Private pages exist in a living page only. */
export function OwnerSlot({ script }: { script: ScriptDetails['script'] }) {
  const { user } = useSession()
  const { revalidate } = useRevalidator()
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {!script.is_public && (
        <span className="inline-flex min-h-6 items-center rounded-sm bg-warning px-2 text-xs font-medium text-surface-0">
          Private
        </span>
      )}
      {user?.id === script.author_id && (
        <Suspense>
          <OwnerTools script={script} memberId={user.id} />
        </Suspense>
      )}
      {user && user.id !== script.author_id && script.is_public && (
        <Suspense>
          <ReportButtons
            subject={{ type: 'script', id: script.id, title: script.title }}
            onHidden={() => void revalidate()}
          />
        </Suspense>
      )}
    </div>
  )
}
