import { Link } from '#web/router/router.tsx'
import type { AuditRow } from '#contract/admin.ts'
import { timeText } from '#web/lib/dates.ts'

/** Entries of the audit log. On a member's own page, the member is not repeated as the target. */
export function AuditList({ rows, isOfOneMember = false }: { rows: readonly AuditRow[]; isOfOneMember?: boolean }) {
  if (rows.length === 0) return <p className="text-muted">No entries.</p>
  return (
    <ol className="flex flex-col divide-y divide-line">
      {rows.map((row) => (
        <li key={row.id} className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
          <p className="flex flex-wrap items-baseline gap-x-1.5 wrap-anywhere">
            <MemberLink id={row.actor_id} name={row.actor_name} />
            <span className="text-muted">{actionSentence(row.action)}</span>
            {hasTarget(row, isOfOneMember) && <Target row={row} />}
            <time dateTime={row.created_at} className="ml-auto text-sm text-muted tabular-nums">
              {timeText(row.created_at)}
            </time>
          </p>
          <Changes row={row} />
        </li>
      ))}
    </ol>
  )
}

const hasTarget = ({ subject_type, subject_id, actor_id }: AuditRow, isOfOneMember: boolean) =>
  subject_type !== 'member' || (!isOfOneMember && subject_id !== actor_id)

function MemberLink({ id, name }: { id: number; name: string }) {
  return (
    <Link to={`/admin/users/${id}`} className="font-medium hover:text-accent hover:underline">
      <bdi>{name}</bdi>
    </Link>
  )
}

function Target({ row }: { row: AuditRow }) {
  if (row.subject_type === 'member') return <MemberLink id={row.subject_id} name={row.subject_name} />
  return (
    <span>
      <span className="text-muted">{row.subject_type}</span> <bdi className="font-medium">{row.subject_name}</bdi>
    </span>
  )
}

function Changes({ row }: { row: AuditRow }) {
  const changes = changesOf(row.before, row.after)
  if (changes.length === 0) return null
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center rounded-sm text-sm text-muted hover:text-text sm:min-h-6">
        Details
      </summary>
      <dl className="mt-1 grid gap-x-4 gap-y-1 rounded-sm bg-surface-2 p-3 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        {changes.map(({ name, before, after }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap max-sm:mb-2">
              {before !== undefined && (
                <del className="text-muted">
                  <span className="sr-only">before: </span>
                  {before}
                </del>
              )}
              {before !== undefined && after !== undefined && <span aria-hidden> → </span>}
              {after !== undefined && (
                <ins className="no-underline">
                  <span className="sr-only">after: </span>
                  {after}
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const SENTENCES: Record<string, string> = {
  admin_by_setting: 'became an admin because the setting ADMIN_DISCORD_IDS lists them',
}

/** The name of an action or field as words: 'ban_user' gives 'ban user'. */
export const actionText = (name: string): string => name.replaceAll('_', ' ')

/** What the actor did, as it follows their name. */
export const actionSentence = (action: string): string => SENTENCES[action] ?? actionText(action)

interface Change {
  name: string
  before: string | undefined
  after: string | undefined
}

/** The fields that differ between two JSON values. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const old = fieldsOf(before)
  const next = fieldsOf(after)
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  return names
    .map((name) => ({ name: actionText(name), before: textOf(old[name]), after: textOf(next[name]) }))
    .filter((change) => change.before !== change.after)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { value }
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return TIME.test(value) ? timeText(value) : value
  return JSON.stringify(value)
}
