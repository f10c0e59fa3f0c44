import Sparkles from 'lucide-react/icons/sparkles'
import { useState } from 'react'
import type { AdminScript } from '#contract/admin.ts'
import { useApi } from '#web/lib/api-context.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { LoadError } from '#web/features/admin/load-error.tsx'
import { ListCount } from '#web/features/admin/list-count.tsx'
import { SearchField } from '#web/features/admin/search-field.tsx'
import { TabSkeleton } from '#web/features/admin/tab-skeleton.tsx'
import { useLive } from '#web/features/admin/use-live.ts'
import { useTabQuery } from '#web/features/admin/use-tab-query.ts'
import { EditShowcase } from './edit-showcase.tsx'
import { ShowcaseCard } from './showcase-card.tsx'

const PAGE_SIZE = 24
const CHOICES = { search: [], showcased: ['', 'true'] } as const

export function Tab() {
  const api = useApi()
  const { values, key, change, hrefOfPage } = useTabQuery(CHOICES)
  const { search, showcased, page } = values
  const live = useLive(
    `showcases${key}`,
    (signal) =>
      api('GET /api/admin-scripts', {
        query: { search, page, limit: PAGE_SIZE, ...(showcased ? { showcased } : {}) },
        signal,
      }),
    'Failed to fetch scripts',
  )
  const [edited, setEdited] = useState<AdminScript>()
  const { scripts = [], pagination } = live.data ?? {}

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <SearchField label="Search by title or author" value={search} onSearch={(text) => change({ search: text })} />
        <Switch
          label="Showcased Only"
          isOn={showcased === 'true'}
          onChange={(isOn) => change({ showcased: isOn ? 'true' : '' })}
        />
      </div>
      <ListCount pagination={pagination} one="script" many="scripts" />
      {live.failure && <LoadError text={live.failure} onRetry={live.reload} />}
      {!live.data && !live.failure && <TabSkeleton />}
      {scripts.length > 0 && (
        <ul
          aria-label="Scripts"
          aria-busy={live.isPending}
          className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4 ${live.isPending ? 'opacity-60' : ''}`}
        >
          {scripts.map((script) => (
            <li key={script.id} className="flex min-w-0">
              <ShowcaseCard script={script} onEdit={() => setEdited(script)} onDone={live.reload} />
            </li>
          ))}
        </ul>
      )}
      {live.data && scripts.length === 0 && (
        <EmptyState
          icon={Sparkles}
          title={showcased ? 'Nothing is showcased here' : 'No scripts found'}
          text="Nothing fits all of this. Try another word, or show all scripts."
        />
      )}
      {pagination && <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOfPage} />}
      {edited && (
        <EditShowcase script={edited} onDone={() => void live.reload()} onClose={() => setEdited(undefined)} />
      )}
    </div>
  )
}
