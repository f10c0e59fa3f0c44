import { useState } from 'react'
import UserSearch from 'lucide-react/icons/user-search'
import type { AdminUser, PersonBan } from '#contract/admin.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { useNow } from '#web/lib/clock.ts'
import { dayText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Pill } from '#web/ui/pill.tsx'
import { Select } from '#web/ui/select.tsx'
import { BulkUserDialog } from './bulk-user-dialog.tsx'
import { readListQuery, useListQuery } from '#web/features/portal/list-query.ts'
import { PersonBans } from './person-bans.tsx'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import {
  CardList,
  SelectableCard,
  SelectableList,
  SelectBox,
  type Selection,
  useSelection,
} from '#web/features/portal/selectable-list.tsx'
import { SearchField } from '#web/features/portal/tab-parts.tsx'
import { cell, Head, numberCell, SortHead, type Sorting, Table, useIsWide } from '#web/features/portal/table.tsx'
import { UserDialog } from './user-dialogs.tsx'
import { roleOf, statusOf, type UserAction, UserMenu, UserName } from './user-menu.tsx'
import { readUsers, type UserPage } from '#web/features/portal/admin-keys.ts'

const QUERY = {
  search: [],
  status: ['all', 'active', 'banned', 'muted'],
  role: ['all', 'admin', 'moderator', 'user'],
  sort: ['created_at', 'last_seen_at', 'username', 'reputation'],
  order: ['desc', 'asc'],
} as const
const STATUS = { all: 'All', active: 'Active', banned: 'Banned', muted: 'Muted' }
const ROLES = { all: 'All', admin: 'Admin', moderator: 'Moderator', user: 'User' }
const EMPTY = { icon: UserSearch, title: 'No users found', text: 'No users match. Try another search or filter.' }
const NO_USERS: readonly AdminUser[] = []

type Opened = { users: readonly AdminUser[] } | { user: AdminUser; action: UserAction }

export const loader = createLoader(async (api, { query, signal }) => {
  const [page, { bans }] = await Promise.all([
    readUsers(api, readListQuery(query, QUERY), signal),
    api('GET /api/person-bans', { signal }),
  ])
  return { ...page, bans }
})

export function Component() {
  const { values, change, hrefOfPage } = useListQuery(QUERY)
  const tab = useTabData<UserPage & { bans: PersonBan[] }>()
  const users = tab.data?.users ?? NO_USERS
  const selection = useSelection(users)
  const [opened, setOpened] = useState<Opened>()
  const List = useIsWide() ? UserTable : UserCards
  const close = () => setOpened(undefined)

  return (
    <>
      <SelectableList
        tab={tab}
        singular="user"
        plural="users"
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
              isLabelAlwaysVisible
              label="Status"
              value={values.status}
              options={STATUS}
              onChange={(status) => change({ status })}
            />
            <Select
              isLabelAlwaysVisible
              label="Role"
              value={values.role}
              options={ROLES}
              onChange={(role) => change({ role })}
            />
          </>
        }
      >
        {users.length > 0 && (
          <List
            users={users}
            selection={selection}
            isPending={tab.isPending}
            onChoose={(user, action) => setOpened({ user, action })}
            sort={values.sort}
            order={values.order}
            onSort={(sort, order) => change({ sort, order })}
          />
        )}
      </SelectableList>
      {tab.data && (
        <div className="mt-8">
          <PersonBans bans={tab.data.bans} />
        </div>
      )}
      {opened && 'action' in opened && <UserDialog {...opened} onClose={close} />}
      {opened && 'users' in opened && <BulkUserDialog users={opened.users} onClose={close} />}
    </>
  )
}

interface ListProps {
  users: readonly AdminUser[]
  selection: Selection<AdminUser>
  isPending: boolean
  onChoose: (user: AdminUser, action: UserAction) => void
}

function UserTable({
  users,
  selection,
  isPending,
  onChoose,
  ...sorting
}: ListProps & Sorting<(typeof QUERY)['sort'][number]>) {
  return (
    <Table
      label="Users"
      isPending={isPending}
      head={
        <>
          <Head>
            <SelectBox label="Select all" isChecked={selection.isAll} onToggle={selection.toggleAll} />
          </Head>
          <SortHead by="username" {...sorting}>
            User
          </SortHead>
          <Head>Status</Head>
          <Head>Role</Head>
          <Head isNumber>Warnings</Head>
          <SortHead by="reputation" isNumber {...sorting}>
            Reputation
          </SortHead>
          <SortHead by="created_at" {...sorting}>
            Joined
          </SortHead>
          <SortHead by="last_seen_at" {...sorting}>
            Last seen
          </SortHead>
          <Head>
            <span className="sr-only">Actions</span>
          </Head>
        </>
      }
    >
      {users.map((user) => (
        <UserRow
          key={user.id}
          user={user}
          isSelected={selection.isSelected(user.id)}
          onToggle={() => selection.toggle(user.id)}
          onChoose={(action) => onChoose(user, action)}
        />
      ))}
    </Table>
  )
}

function UserRow({
  user,
  isSelected,
  onToggle,
  onChoose,
}: {
  user: AdminUser
  isSelected: boolean
  onToggle: () => void
  onChoose: (action: UserAction) => void
}) {
  const status = statusOf(user, useNow())
  return (
    <tr aria-selected={isSelected} className="aria-selected:bg-accent-soft">
      <td className={`${cell} w-10`}>
        <SelectBox label={`Select ${user.username}`} isChecked={isSelected} onToggle={onToggle} />
      </td>
      <td className={`${cell} w-full max-w-0 min-w-40`}>
        <UserName user={user} />
      </td>
      <td className={cell}>
        <Pill tone={status.tone}>{status.label}</Pill>
      </td>
      <td className={cell}>{roleOf(user)}</td>
      <td className={`${numberCell} ${user.warning_count_active > 0 ? 'text-warning' : ''}`}>
        {user.warning_count_active}
      </td>
      <td className={numberCell}>{fullCount(user.reputation)}</td>
      <td className={`${cell} min-w-20 xl:whitespace-nowrap`}>
        <time dateTime={user.created_at}>{dayText(user.created_at)}</time>
      </td>
      <td className={`${cell} min-w-20 xl:whitespace-nowrap`}>
        {user.last_seen_at ? <RelativeTime iso={user.last_seen_at} /> : 'Never'}
      </td>
      <td className={`${cell} w-12`}>
        <UserMenu user={user} onChoose={onChoose} />
      </td>
    </tr>
  )
}

function UserCards({ users, selection, isPending, onChoose }: ListProps) {
  return (
    <CardList label="Users" selection={selection} isPending={isPending}>
      {users.map((user) => (
        <SelectableCard
          key={user.id}
          name={user.username}
          isSelected={selection.isSelected(user.id)}
          onToggle={() => selection.toggle(user.id)}
          title={<UserName user={user} />}
          menu={<UserMenu user={user} onChoose={(action) => onChoose(user, action)} />}
        >
          <UserFacts user={user} />
        </SelectableCard>
      ))}
    </CardList>
  )
}

function UserFacts({ user }: { user: AdminUser }) {
  const status = statusOf(user, useNow())
  return (
    <>
      <p className="flex flex-wrap gap-2">
        <Pill tone={status.tone}>{status.label}</Pill>
        {roleOf(user) !== status.label && <Pill>{roleOf(user)}</Pill>}
        {user.warning_count_active > 0 && (
          <Pill tone="warning">
            {user.warning_count_active} {user.warning_count_active === 1 ? 'warning' : 'warnings'}
          </Pill>
        )}
      </p>
      <dl className="grid grid-cols-3 gap-2 text-xs text-muted [&_dd]:text-sm [&_dd]:text-text">
        <div>
          <dt>Reputation</dt>
          <dd className="tabular-nums">{fullCount(user.reputation)}</dd>
        </div>
        <div>
          <dt>Joined</dt>
          <dd>
            <RelativeTime iso={user.created_at} />
          </dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>{user.last_seen_at ? <RelativeTime iso={user.last_seen_at} /> : 'Never'}</dd>
        </div>
      </dl>
    </>
  )
}
