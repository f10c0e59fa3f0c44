import type { AdminUser } from '#contract/admin.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { useNow } from '#web/lib/clock.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Pill } from '#web/ui/pill.tsx'
import { SelectBox } from '../select-box.tsx'
import type { Deed } from './user-deeds.ts'
import { UserMenu } from './user-menu.tsx'
import { UserName } from './user-name.tsx'
import { roleOf, statusOf } from './user-standing.ts'
import type { UserListProps } from './user-table.tsx'

/** The table for little room: a card for each member. */
export function UserCards({ users, selection, isPending, onChoose }: UserListProps) {
  return (
    <div className="flex flex-col gap-2" aria-busy={isPending}>
      <p className="flex items-center gap-3 pl-3 text-muted">
        <SelectBox label="Select all" isChecked={selection.isAll} onToggle={selection.toggleAll} />
        <span aria-hidden>Select all</span>
      </p>
      <ul aria-label="Users" className={`flex flex-col gap-2 ${isPending ? 'opacity-60' : ''}`}>
        {users.map((user) => (
          <li
            key={user.id}
            className={`flex flex-col gap-2 rounded-md border border-line p-3 ${selection.isSelected(user.id) ? 'bg-accent-soft' : 'bg-surface-1'}`}
          >
            <div className="flex items-center gap-3">
              <SelectBox
                label={`Select ${user.username}`}
                isChecked={selection.isSelected(user.id)}
                onToggle={() => selection.toggle(user.id)}
              />
              <div className="min-w-0 flex-1">
                <UserName user={user} />
              </div>
              <UserMenu user={user} onChoose={(deed: Deed) => onChoose(user, deed)} />
            </div>
            <Facts user={user} />
          </li>
        ))}
      </ul>
    </div>
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
