import type { AdminUser } from '#contract/admin.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { useNow } from '#web/lib/clock.ts'
import { dayText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Pill } from '#web/ui/pill.tsx'
import { SelectBox } from '#web/features/admin/select-box.tsx'
import { cell, numberCell, Head, SortHead, type Sorting, Table } from '#web/features/admin/table.tsx'
import type { Selection } from '#web/features/admin/use-selection.ts'
import type { UserAction } from './user-actions.ts'
import { UserMenu } from './user-menu.tsx'
import { UserName } from './user-name.tsx'
import { roleOf, statusOf } from './user-standing.ts'

export type UserSort = 'created_at' | 'last_seen_at' | 'username' | 'reputation'

export interface UserListProps {
  users: readonly AdminUser[]
  selection: Selection<AdminUser>
  isPending: boolean
  onChoose: (user: AdminUser, deed: UserAction) => void
}

export function UserTable({ users, selection, isPending, onChoose, ...sorting }: UserListProps & Sorting<UserSort>) {
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
          <Head isFigure>Warnings</Head>
          <SortHead by="reputation" isFigure {...sorting}>
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
        <Row
          key={user.id}
          user={user}
          isSelected={selection.isSelected(user.id)}
          onToggle={() => selection.toggle(user.id)}
          onChoose={(deed) => onChoose(user, deed)}
        />
      ))}
    </Table>
  )
}

function Row({
  user,
  isSelected,
  onToggle,
  onChoose,
}: {
  user: AdminUser
  isSelected: boolean
  onToggle: () => void
  onChoose: (deed: UserAction) => void
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
      <td className={`${cell} min-w-20 lg:whitespace-nowrap`}>
        <time dateTime={user.created_at}>{dayText(user.created_at)}</time>
      </td>
      <td className={`${cell} min-w-20 lg:whitespace-nowrap`}>
        {user.last_seen_at ? <RelativeTime iso={user.last_seen_at} /> : 'Never'}
      </td>
      <td className={`${cell} w-12`}>
        <UserMenu user={user} onChoose={onChoose} />
      </td>
    </tr>
  )
}
