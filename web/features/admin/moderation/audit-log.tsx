import { useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { LoadError } from '#web/features/admin/load-error.tsx'
import { TabSkeleton } from '#web/features/admin/tab-skeleton.tsx'
import { useLive } from '#web/features/admin/use-live.ts'
import { type PickedUser, UserPicker } from '#web/features/admin/user-picker.tsx'
import { AuditList } from './audit-list.tsx'
import { actionText } from './audit-words.ts'
import type { ModerationValues } from './moderation-tab.tsx'

const LIMIT = 20

type Filters = Pick<ModerationValues, 'action' | 'actor' | 'member' | 'from' | 'to' | 'before'>

const idIn = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

/** What admins and moderators did, the newest first, narrowed by who, whom, what and when. */
export function AuditLog({ values, change }: { values: Filters; change: (change: Partial<Filters>) => void }) {
  const api = useApi()
  const { action, actor, member, from, to, before } = values
  const query = { action, actor_id: idIn(actor), member_id: idIn(member), from, to, before_id: idIn(before) }
  const { data, failure, isPending, reload } = useLive(
    `audit ${JSON.stringify(query)}`,
    (signal) => api('GET /api/audit-log', { query: { ...present(query), limit: LIMIT }, signal }),
    'Failed to fetch data',
  )
  // Any other filter begins at the newest again.
  const narrow = (part: Partial<Filters>) => change({ before: '', ...part })
  const older = data?.next_before_id
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-5">
        <IdPicker name="actor" label="Done by" value={actor} onChange={(id) => narrow({ actor: id })} />
        <IdPicker name="member" label="Done to" value={member} onChange={(id) => narrow({ member: id })} />
        <ChoiceField
          name="action"
          label="Action"
          value={action}
          options={optionsOf(data?.actions ?? [], action)}
          onChange={(one) => narrow({ action: one })}
        />
        <Field name="from" label="From">
          {(aria) => <TextInput {...aria} type="date" value={from} onChange={(day) => narrow({ from: day })} />}
        </Field>
        <Field name="to" label="To">
          {(aria) => <TextInput {...aria} type="date" value={to} onChange={(day) => narrow({ to: day })} />}
        </Field>
      </div>
      {failure && <LoadError text={failure} onRetry={reload} />}
      {!data && !failure && <TabSkeleton />}
      {data && (
        <div aria-busy={isPending} className={isPending ? 'opacity-60' : ''}>
          <AuditList rows={data.rows} />
        </div>
      )}
      <div className="flex justify-center gap-2">
        {before && <Button onClick={() => change({ before: '' })}>Newest</Button>}
        {older != null && <Button onClick={() => change({ before: String(older) })}>Older</Button>}
      </div>
    </div>
  )
}

function present<T extends Record<string, unknown>>(query: T) {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== '')) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

function optionsOf(actions: readonly string[], chosen: string): Record<string, string> {
  const known = chosen && !actions.includes(chosen) ? [...actions, chosen] : actions
  return { '': 'All', ...Object.fromEntries(known.map((action) => [action, actionText(action)])) }
}

/** Whom the address names by an id alone. */
function IdPicker({
  name,
  label,
  value,
  onChange,
}: {
  name: string
  label: string
  value: string
  onChange: (id: string) => void
}) {
  const [picked, setPicked] = useState<PickedUser>()
  const id = idIn(value)
  const shown = picked?.id === id ? picked : id && { id, username: `ID ${id}`, avatar_url: '' }
  return (
    <UserPicker
      name={name}
      label={label}
      placeholder="Name, email or ID"
      value={shown || undefined}
      onPick={(user) => {
        setPicked(user)
        onChange(user ? String(user.id) : '')
      }}
    />
  )
}
