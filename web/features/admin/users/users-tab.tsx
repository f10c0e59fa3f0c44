import UserSearch from 'lucide-react/icons/user-search'
import { useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Select } from '#web/ui/select.tsx'
import { readUsers } from '#web/features/admin/read-admin.ts'
import { SearchField } from '#web/features/admin/search-field.tsx'
import { SelectableList } from '#web/features/admin/selectable-list.tsx'
import { useIsWide } from '#web/features/admin/use-is-wide.ts'
import { useLive } from '#web/features/admin/use-live.ts'
import { useSelection } from '#web/features/admin/use-selection.ts'
import { useTabQuery } from '#web/features/admin/use-tab-query.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { UserCards } from './user-cards.tsx'
import type { UserAction } from './user-actions.ts'
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
const EMPTY = {
  icon: UserSearch,
  title: 'No users found',
  text: 'Nobody fits all of this. Try another word or filter.',
}

type Opened = { users: readonly AdminUser[] } | { user: AdminUser; deed: UserAction }

export function Tab() {
  const api = useApi()
  const { values, key, change, hrefOfPage } = useTabQuery(CHOICES)
  const live = useLive(`users${key}`, (signal) => readUsers(api, values, signal), 'Failed to fetch data')
  const users = live.data?.users ?? NOBODY
  const selection = useSelection(users)
  const [opened, setOpened] = useState<Opened>()
  const isWide = useIsWide()
  const List = isWide ? UserTable : UserCards
  const close = () => setOpened(undefined)
  const onDone = () => void live.reload()

  return (
    <>
      <SelectableList
        live={live}
        one="user"
        many="users"
        empty={EMPTY}
        hrefOfPage={hrefOfPage}
        selection={selection}
        onBulk={(selected) => setOpened({ users: selected })}
        filters={
          <>
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
          </>
        }
      >
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
      </SelectableList>
      {opened && 'deed' in opened && <UserDialog {...opened} onDone={onDone} onClose={close} />}
      {opened && 'users' in opened && <BulkDialog users={opened.users} onDone={onDone} onClose={close} />}
    </>
  )
}
