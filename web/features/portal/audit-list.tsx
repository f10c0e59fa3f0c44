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
            <span>
              <MemberLink id={row.actor_id} name={row.actor_name} /> <Action row={row} isOfOneMember={isOfOneMember} />
            </span>
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

function MemberLink({ id, name }: { id: number; name: string }) {
  return (
    <Link to={`/admin/users/${id}`} className="font-medium hover:text-accent hover:underline">
      <bdi>{name}</bdi>
    </Link>
  )
}

/** What the actor did, with the target in its place in the sentence. */
function Action({ row, isOfOneMember }: { row: AuditRow; isOfOneMember: boolean }) {
  const [before = '', after] = actionSentence(row.action)
  return (
    <>
      <span className="text-muted">{before}</span>
      {after !== undefined && <Target row={row} isOfOneMember={isOfOneMember} />}
      {after && <span className="text-muted">{after}</span>}
    </>
  )
}

function Target({ row, isOfOneMember }: { row: AuditRow; isOfOneMember: boolean }) {
  const { subject_type, subject_id, subject_name, actor_id } = row
  if (subject_type !== 'member') return <bdi className="font-medium">{subject_name}</bdi>
  if (subject_id === actor_id) return <span className="text-muted">themselves</span>
  return isOfOneMember ? <span className="text-muted">them</span> : <MemberLink id={subject_id} name={subject_name} />
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

/** What the actor did, as it follows their name. `{}` is the target. */
const SENTENCES: Record<string, string> = {
  admin_by_setting: 'became an admin because the setting ADMIN_DISCORD_IDS lists them',
  admin_by_setup: 'became the first admin by the setup of the site',
  ban_user: 'banned {}',
  unban_user: 'unbanned {}',
  mute_user: 'muted {}',
  unmute_user: 'unmuted {}',
  warn_user: 'warned {}',
  edit_user: 'edited the account of {}',
  make_admin: 'made {} an admin',
  remove_admin: 'removed {} from the admins',
  make_moderator: 'made {} a moderator',
  remove_moderator: 'removed {} from the moderators',
  script_feature: 'featured the script {}',
  unscript_feature: 'removed the script {} from featured',
  script_verify: 'verified the script {}',
  unscript_verify: 'removed the verification of the script {}',
  script_delete: 'deleted the script {}',
  showcase_script: 'showcased the script {}',
  edit_showcase: 'edited the showcase of {}',
  unshowcase_script: 'removed the script {} from the showcases',
  hide_script: 'hid the script {}',
  unhide_script: 'made the script {} visible again',
  withdraw_version: 'withdrew a version of the script {}',
  hide_review: 'hid the {}',
  unhide_review: 'made the {} visible again',
  claim_report: 'claimed the report about {}',
  release_report: 'released the report about {}',
  resolve_report: 'confirmed the report about {}',
  dismiss_report: 'dismissed the report about {}',
  grant_appeal: 'granted the appeal about {}',
  uphold_decision: 'upheld the decision about {}',
  create_giveaway: 'created the giveaway {}',
  edit_giveaway: 'edited the giveaway {}',
  delete_giveaway: 'deleted the giveaway {}',
  reveal_prizes: 'looked at the prizes of the giveaway {}',
  select_winners: 'selected the winners of the giveaway {}',
  run_job_again: 'ran a failed job of the queue {} again',
  delete_job: 'deleted a failed job of the queue {}',
  name_game: 'changed the name of the game {}',
  mark_host: 'changed the mark of the host {}',
  create_webhook: 'created a webhook of the site',
  change_webhook: 'changed a webhook of the site',
  delete_webhook: 'deleted a webhook of the site',
  rotate_webhook_secret: 'replaced the secret of a webhook of the site',
  change_hold_hours: 'changed how long versions wait',
  release_version: 'released a version of the script {}',
  change_branding: 'changed the branding of the site',
  link_member: 'linked a Discord account to the imported member {}',
  send_notification: 'sent the notification {}',
  create_api_token: 'created an API token for {}',
  revoke_api_token: 'revoked an API token of {}',
  add_trusted_publisher: 'let builds of a repository publish the script {}',
  accept_only_builds: 'let only trusted builds publish the script {}',
  accept_all_versions: 'let more than trusted builds publish the script {}',
  connect_repository: 'connected a repository to the script {}',
  disconnect_repository: 'disconnected the repository of the script {}',
  replace_repository_secret: 'replaced the secret of the repository of the script {}',
  remove_trusted_publisher: 'removed a trusted publisher of the script {}',
  confirm_email_address: 'confirmed a new email address of {}',
  remove_email_address: 'removed the email address of {}',
}

/** The name of an action or field as words: 'ban_user' gives 'ban user'. */
export const actionText = (name: string): string => name.replaceAll('_', ' ')

/** What the actor did: the text before the target and, if there is a target, the text after it. */
export const actionSentence = (action: string): string[] =>
  (SENTENCES[action] ?? `performed “${actionText(action)}” on {}`).split('{}')

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
