import type { AdminUser } from '#contract/admin.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { useNow } from '#web/lib/clock.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Pill } from '#web/ui/pill.tsx'
import { CardList, SelectableCard } from '#web/features/admin/selectable-cards.tsx'
import type { UserAction } from './user-actions.ts'
import { UserMenu } from './user-menu.tsx'
import { UserName } from './user-name.tsx'
import { roleOf, statusOf } from './user-standing.ts'
import type { UserListProps } from './user-table.tsx'

/** The table for little room: a card for each member. */
export function UserCards({ users, selection, isPending, onChoose }: UserListProps) {
  return (
    <CardList label="Users" selection={selection} isPending={isPending}>
      {users.map((user) => (
        <SelectableCard
          key={user.id}
          name={user.username}
          isSelected={selection.isSelected(user.id)}
          onToggle={() => selection.toggle(user.id)}
          title={<UserName user={user} />}
          menu={<UserMenu user={user} onChoose={(deed: UserAction) => onChoose(user, deed)} />}
        >
          <Facts user={user} />
        </SelectableCard>
      ))}
    </CardList>
  )
}

function Facts({ user }: { user: AdminUser }) {
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
