import { UserSearch } from 'lucide-react'
import { useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Select } from '#web/ui/select.tsx'
import { Failing } from '../failing.tsx'
import { ListCount } from '../list-count.tsx'
import { readUsers } from '../read-admin.ts'
import { SearchField } from '../search-field.tsx'
import { SelectionBar } from '../selection-bar.tsx'
import { TabSkeleton } from '../tab-skeleton.tsx'
import { useIsWide } from '../use-is-wide.ts'
import { useLive } from '../use-live.ts'
import { useSelection } from '../use-selection.ts'
import { useTabQuery } from '../use-tab-query.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { UserCards } from './user-cards.tsx'
import type { Deed } from './user-deeds.ts'
import { UserDialog } from './user-dialogs.tsx'
import { UserTable } from './user-table.tsx'

const CHOICES = {
  search: [],
  status: ['all', 'active', 'banned', 'muted'],
  role: ['all', 'admin', 'moderator', 'user'],
  sort: ['created_at', 'last_seen_at', 'username', 'reputation'],
  order: ['desc', 'asc'],
} as const
const STATUS = { all: 'All', active: 'Active', banned: 'Banned', muted: 'Muted' }
const ROLES = { all: 'All', admin: 'Admin', moderator: 'Moderator', user: 'User' }
const NOBODY: readonly AdminUser[] = []

type Opened = { users: readonly AdminUser[] } | { user: AdminUser; deed: Deed }

export function Tab() {
  const api = useApi()
  const { values, key, change, hrefOfPage } = useTabQuery(CHOICES)
  const live = useLive(`users${key}`, (signal) => readUsers(api, values, signal), 'Failed to fetch data')
  const { users, pagination } = live.data ?? { users: NOBODY }
  const selection = useSelection(users)
  const [opened, setOpened] = useState<Opened>()
  const isWide = useIsWide()
  const List = isWide ? UserTable : UserCards
  const close = () => setOpened(undefined)
  const onDone = () => void live.reload()

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search by username, email or ID"
          value={values.search}
          onSearch={(search) => change({ search })}
        />
        <Select
          keepsLabel
          label="Status"
          value={values.status}
          options={STATUS}
          onChange={(status) => change({ status })}
        />
        <Select keepsLabel label="Role" value={values.role} options={ROLES} onChange={(role) => change({ role })} />
      </div>
      <ListCount pagination={pagination} one="user" many="users" />
      {live.failure && <Failing text={live.failure} onRetry={live.reload} />}
      {!live.data && !live.failure && <TabSkeleton />}
      {users.length > 0 && (
        <List
          users={users}
          selection={selection}
          isPending={live.isPending}
          onChoose={(user, deed) => setOpened({ user, deed })}
          sort={values.sort}
          order={values.order}
          onSort={(sort, order) => change({ sort, order })}
        />
      )}
      {live.data && users.length === 0 && (
        <EmptyState
          icon={UserSearch}
          title="No users found"
          text="Nobody fits all of this. Try another word or filter."
        />
      )}
      {pagination && <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOfPage} />}
      <SelectionBar count={selection.selected.length} onClear={selection.clear}>
        <Button size="sm" variant="primary" onClick={() => setOpened({ users: selection.selected })}>
          Bulk Actions
        </Button>
      </SelectionBar>
      {opened && 'deed' in opened && <UserDialog {...opened} onDone={onDone} onClose={close} />}
      {opened && 'users' in opened && <BulkDialog users={opened.users} onDone={onDone} onClose={close} />}
    </div>
  )
}
