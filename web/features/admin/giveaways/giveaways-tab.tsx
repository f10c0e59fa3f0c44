import Gift from 'lucide-react/icons/gift'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { Giveaway } from '#contract/giveaways.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Select } from '#web/ui/select.tsx'
import { LoadError } from '#web/features/admin/load-error.tsx'
import { TabSkeleton } from '#web/features/admin/tab-skeleton.tsx'
import { useLive } from '#web/features/admin/use-live.ts'
import { useTabQuery } from '#web/features/admin/use-tab-query.ts'
import { ConfirmDelete, ConfirmDraw } from './confirm-giveaway.tsx'
import { GiveawayCard } from './giveaway-card.tsx'
import { GiveawayDialog } from './giveaway-dialog.tsx'
import { PrizesDialog } from './prizes-dialog.tsx'

const CHOICES = { status: ['all', 'active', 'ended', 'inactive'] } as const
const STATUS = { all: 'All', active: 'Active', ended: 'Ended', inactive: 'Inactive' }

export type GiveawayAction = 'edit' | 'select' | 'draw' | 'prizes' | 'delete'
type Opened = { deed: 'create' } | { deed: GiveawayAction; giveaway: Giveaway }

export function Tab() {
  const api = useApi()
  const { values, key, change } = useTabQuery(CHOICES)
  const { status } = values
  const live = useLive(
    `giveaways${key}`,
    (signal) => api('GET /api/giveaways', { query: { admin: 'true', status }, signal }),
    'Failed to fetch giveaways',
  )
  const [opened, setOpened] = useState<Opened>()
  const giveaways = live.data?.data.giveaways ?? []
  const ways = { onDone: () => void live.reload(), onClose: () => setOpened(undefined) }

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Select keepsLabel label="Status" value={status} options={STATUS} onChange={(one) => change({ status: one })} />
        <Button variant="primary" onClick={() => setOpened({ deed: 'create' })}>
          <Plus aria-hidden className="size-4" />
          Create Giveaway
        </Button>
      </div>
      {live.failure && <LoadError text={live.failure} onRetry={live.reload} />}
      {!live.data && !live.failure && <TabSkeleton />}
      {giveaways.length > 0 && (
        <ul
          aria-label="Giveaways"
          aria-busy={live.isPending}
          className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))] gap-4 ${live.isPending ? 'opacity-60' : ''}`}
        >
          {giveaways.map((giveaway) => (
            <li key={giveaway.id} className="flex min-w-0">
              <GiveawayCard giveaway={giveaway} onChoose={(deed) => setOpened({ deed, giveaway })} />
            </li>
          ))}
        </ul>
      )}
      {live.data && giveaways.length === 0 && (
        <EmptyState
          icon={Gift}
          title={status === 'all' ? 'No giveaways yet' : `No ${status} giveaways`}
          text={status === 'all' ? 'Create the first one.' : 'Choose another status to see the others.'}
        />
      )}
      {opened && <OpenedDialog opened={opened} {...ways} />}
    </div>
  )
}

function OpenedDialog({ opened, ...ways }: { opened: Opened; onDone: () => void; onClose: () => void }) {
  if (opened.deed === 'create') return <GiveawayDialog {...ways} />
  const { deed, giveaway } = opened
  switch (deed) {
    case 'edit':
      return <GiveawayDialog giveaway={giveaway} {...ways} />
    case 'prizes':
      return <PrizesDialog giveaway={giveaway} onClose={ways.onClose} />
    case 'delete':
      return <ConfirmDelete giveaway={giveaway} {...ways} />
    case 'select':
    case 'draw':
      return <ConfirmDraw giveaway={giveaway} isEarly={deed === 'select'} {...ways} />
  }
}
