import { useState } from 'react'
import Hourglass from 'lucide-react/icons/hourglass'
import type { ResultOf } from '#contract/operations.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { actionText, AuditList } from '#web/features/portal/audit-list.tsx'
import { readListQuery, useListQuery } from '#web/features/portal/list-query.ts'
import { createLoader, type TabData, useTabData } from '#web/features/portal/portal-data.ts'
import { QUEUE_QUERY, readReports, ReportQueue, type ReportPage } from './report-queue.tsx'
import { LoadError, TabSkeleton } from '#web/features/portal/tab-parts.tsx'
import { type PickedUser, UserPicker } from '#web/features/portal/user-picker.tsx'

const AUDIT_PAGE_SIZE = 20
const QUERY = { ...QUEUE_QUERY, action: [], actor: [], member: [], from: [], to: [], before: [] } as const

type AuditPage = ResultOf<'GET /api/audit-log'>
type Filters = Record<'action' | 'actor' | 'member' | 'from' | 'to' | 'before', string>

const parseId = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

export const loader = createLoader(async (api, { query, signal }) => {
  const values = readListQuery(query, QUERY)
  const [reports, audit] = await Promise.all([
    readReports(api, values, signal),
    api('GET /api/audit-log', { query: { ...auditQuery(values), limit: AUDIT_PAGE_SIZE }, signal }),
  ])
  return { reports, audit }
})

function auditQuery({ action, actor, member, from, to, before }: Filters) {
  const ids = { actor_id: parseId(actor), member_id: parseId(member), before_id: parseId(before) }
  return Object.fromEntries(
    Object.entries({ ...ids, action, from, to }).filter(([, value]) => value !== undefined && value !== ''),
  )
}

export function Component() {
  const { values, change, hrefOf } = useListQuery(QUERY)
  const tab = useTabData<{ reports: ReportPage; audit: AuditPage }>()
  return (
    <div className="flex flex-col gap-4">
      <Panel title="Reports">
        <ReportQueue queue={tab} reports={tab.data?.reports} filters={values} hrefOf={hrefOf} change={change} />
      </Panel>
      <Panel title="Audit log">
        <AuditLog tab={tab} audit={tab.data?.audit} filters={values} change={change} />
      </Panel>
      <Panel title="Script content moderation">
        <EmptyState icon={Hourglass} title="Coming Soon" text="Script content moderation isn't available yet." />
      </Panel>
    </div>
  )
}

interface AuditLogProps {
  tab: Omit<TabData<unknown>, 'data'>
  audit: AuditPage | undefined
  filters: Filters
  change: (change: Partial<Filters>) => void
}

/** The audit log with its filters, newest entries first. */
function AuditLog({ tab, audit, filters, change }: AuditLogProps) {
  const { action, actor, member, from, to, before } = filters
  // A changed filter starts at the newest entry.
  const filter = (part: Partial<Filters>) => change({ before: '', ...part })
  const older = audit?.next_before_id
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-5">
        <MemberFilter name="actor" label="Actor" value={actor} onChange={(id) => filter({ actor: id })} />
        <MemberFilter name="member" label="Target" value={member} onChange={(id) => filter({ member: id })} />
        <ChoiceField
          name="action"
          label="Action"
          value={action}
          options={actionOptions(audit?.actions ?? [], action)}
          onChange={(one) => filter({ action: one })}
        />
        <Field name="from" label="From">
          {(aria) => <TextInput {...aria} type="date" value={from} onChange={(day) => filter({ from: day })} />}
        </Field>
        <Field name="to" label="To">
          {(aria) => <TextInput {...aria} type="date" value={to} onChange={(day) => filter({ to: day })} />}
        </Field>
      </div>
      {tab.error && <LoadError text={tab.error} onRetry={tab.reload} />}
      {!audit && !tab.error && <TabSkeleton />}
      {audit && (
        <div aria-busy={tab.isPending} className={tab.isPending ? 'opacity-60' : ''}>
          <AuditList rows={audit.rows} />
        </div>
      )}
      <div className="flex justify-center gap-2">
        {before && <Button onClick={() => change({ before: '' })}>Newest</Button>}
        {older != null && <Button onClick={() => change({ before: String(older) })}>Older</Button>}
      </div>
    </div>
  )
}

function actionOptions(actions: readonly string[], chosen: string): Record<string, string> {
  const known = chosen && !actions.includes(chosen) ? [...actions, chosen] : actions
  return { '': 'All', ...Object.fromEntries(known.map((action) => [action, actionText(action)])) }
}

/** A user picker whose value in the URL is an id. After a reload, the name is not known. */
function MemberFilter({
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
  const id = parseId(value)
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
