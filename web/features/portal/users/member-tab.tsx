import { useState } from 'react'
import { Link, useParams } from '#web/router/router.tsx'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ExternalLink from 'lucide-react/icons/external-link'
import type { AdminScript, AdminUser, Sanction } from '#contract/admin.ts'
import { PERMANENT_EXPIRY } from '#contract/limits.ts'
import type { ResultOf } from '#contract/operations.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { dayText, timeText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { AuditList } from '#web/features/portal/audit-list.tsx'
import { countText } from '#web/features/portal/count-text.ts'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { ScriptPills } from '#web/features/portal/script-pills.tsx'
import { Fact, LoadError, TabSkeleton } from '#web/features/portal/tab-parts.tsx'
import { BanDialog, UserDialog } from './user-dialogs.tsx'
import { roleOf, statusOf, type UserAction, UserMenu } from './user-menu.tsx'

type MemberFile = ResultOf<'GET /api/admin-user'>

/** Null if the account does not exist or was deleted. */
export const loader = createLoader<MemberFile | null>((api, { params, signal }) =>
  api('GET /api/admin-user', { query: { user_id: Number(params['id']) }, signal }).catch((error: Error) => {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }),
)

/** Everything that the portal knows about one member. */
export function Component() {
  const { data, error, reload } = useTabData<MemberFile | null>()
  const [action, setAction] = useState<UserAction>()
  return (
    <div className="flex flex-col gap-4">
      <Link
        to="/admin/users"
        className="-mx-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded-sm px-2 text-muted hover:text-text sm:min-h-8"
      >
        <ArrowLeft aria-hidden className="size-4" />
        All users
      </Link>
      {error && <LoadError text={error} onRetry={reload} />}
      {data === undefined && !error && <TabSkeleton />}
      {data === null && <DeletedAccount />}
      {data && (
        <>
          <MemberHeader user={data.user} onChoose={setAction} />
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="flex min-w-0 flex-col gap-4">
              <Sanctions sanctions={data.sanctions} />
              <Panel title="Audit trail">
                <AuditList rows={data.audit} isOfOneMember />
              </Panel>
              <Scripts scripts={data.scripts} />
              <Reviews reviews={data.reviews} />
            </div>
            <Details user={data.user} />
          </div>
          {action && <UserDialog user={data.user} action={action} onClose={() => setAction(undefined)} />}
        </>
      )}
    </div>
  )
}

/** Bans the person behind an account that no longer exists, which the audit log still links to. */
function DeletedAccount() {
  const id = Number(useParams()['id'])
  const [isBanning, setIsBanning] = useState(false)
  return (
    <Panel title="User not found">
      <p className="mb-3 text-muted">
        If this member deleted their account, you can still ban them. The ban applies when they sign in again, and you
        can lift it under “Bans without an account” in the list of users.
      </p>
      <Button onClick={() => setIsBanning(true)}>Ban this person</Button>
      {isBanning && <BanDialog user={{ id, username: `deleted account ${id}` }} onClose={() => setIsBanning(false)} />}
    </Panel>
  )
}

function MemberHeader({ user, onChoose }: { user: AdminUser; onChoose: (action: UserAction) => void }) {
  const status = statusOf(user, useNow())
  return (
    <header className="flex flex-wrap items-center gap-4">
      <MemberAvatar
        member={{ author_avatar: user.avatar_url, discord_id: user.discord_id }}
        name={user.username}
        size="large"
      />
      <div className="flex min-w-0 flex-1 basis-48 flex-col gap-1">
        <h3 className="text-xl font-semibold wrap-anywhere">
          <bdi>{user.display_name || user.username}</bdi>
        </h3>
        <p className="text-muted wrap-anywhere">
          <bdi>@{user.username}</bdi>
        </p>
        <p className="flex flex-wrap gap-2">
          <Pill tone={status.tone}>{status.label}</Pill>
          {roleOf(user) !== status.label && <Pill>{roleOf(user)}</Pill>}
          {!user.discord_id && <Pill>Imported</Pill>}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <LinkButton to={`/profile/${encodeURIComponent(user.slug)}`}>
          <ExternalLink aria-hidden className="size-4" />
          Public profile
        </LinkButton>
        <UserMenu user={user} onChoose={onChoose} />
      </div>
    </header>
  )
}

const SANCTION_LABELS = { ban: 'Ban', mute: 'Mute', warning: 'Warning' } as const

/** Current and past bans, mutes and warnings, newest first. */
function Sanctions({ sanctions }: { sanctions: readonly Sanction[] }) {
  return (
    <Panel title="Sanctions">
      {sanctions.length === 0 && <p className="text-muted">No sanctions.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {sanctions.map((sanction) => (
          <li key={sanction.id} className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">
                {SANCTION_LABELS[sanction.kind]}
                {sanction.severity && `, ${sanction.severity}`}
              </span>
              <Pill tone={sanction.is_active ? 'danger' : 'neutral'}>{stateOf(sanction)}</Pill>
            </p>
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {sanction.reason}
            </p>
            <p className="text-sm text-muted wrap-anywhere">{historyOf(sanction)}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function stateOf({ is_active, lifted_at }: Sanction): string {
  if (is_active) return 'Active'
  return lifted_at ? 'Lifted' : 'Expired'
}

function historyOf({ imposed_at, imposed_by, ends_at, lifted_at, lifted_by }: Sanction): string {
  const end = ends_at === null ? 'permanent' : `until ${timeText(ends_at)}`
  const lifted = lifted_at ? `, lifted ${timeText(lifted_at)} by ${lifted_by ?? 'the site'}` : ''
  return `${timeText(imposed_at)} by ${imposed_by ?? 'the site'}, ${end}${lifted}`
}

function Scripts({ scripts }: { scripts: readonly AdminScript[] }) {
  return (
    <Panel title="Scripts">
      {scripts.length === 0 && <p className="text-muted">No scripts.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {scripts.map((script) => (
          <li key={script.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
            <Link
              to={`/scripts/${encodeURIComponent(script.slug)}`}
              className="min-w-0 flex-1 basis-48 font-medium wrap-anywhere hover:text-accent hover:underline"
            >
              <bdi>{script.title}</bdi>
            </Link>
            <ScriptPills script={script} />
            <span className="text-sm text-muted tabular-nums">
              {countText(script.view_count, 'view')} · <RelativeTime iso={script.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Reviews({ reviews }: { reviews: MemberFile['reviews'] }) {
  return (
    <Panel title="Reviews">
      {reviews.length === 0 && <p className="text-muted">No reviews.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {reviews.map((review) => (
          <li key={review.id} className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Link
                to={`/scripts/${encodeURIComponent(review.script_slug)}`}
                className="min-w-0 font-medium wrap-anywhere hover:text-accent hover:underline"
              >
                <bdi>{review.script_title}</bdi>
              </Link>
              <Stars rating={review.rating} className="h-3.5" />
              <RelativeTime iso={review.created_at} className="text-sm text-muted" />
            </p>
            {review.review && (
              <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                {review.review}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const endText = (end: string | null) => (end === null || end === PERMANENT_EXPIRY ? 'Permanent' : timeText(end))

function Details({ user }: { user: AdminUser }) {
  return (
    <Panel title="Details">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <Fact name="ID">{user.id}</Fact>
        <Fact name="Email">{user.email ?? 'None'}</Fact>
        <Fact name="Discord ID">{user.discord_id || 'None'}</Fact>
        <Fact name="Title">{user.title ?? 'None'}</Fact>
        <Fact name="Badge">{user.custom_badge ?? 'None'}</Fact>
        <Fact name="Reputation">{fullCount(user.reputation)}</Fact>
        <Fact name="Warnings">{user.warning_count_active} active</Fact>
        <Fact name="Plan">{user.subscription_type === 'premium' ? 'Premium' : 'Free'}</Fact>
        <Fact name="Joined">{dayText(user.created_at)}</Fact>
        <Fact name="Last seen">{user.last_seen_at ? <RelativeTime iso={user.last_seen_at} /> : 'Never'}</Fact>
        {user.is_banned && <Fact name="Banned until">{endText(user.ban_expires_at)}</Fact>}
        {user.is_muted && <Fact name="Muted until">{endText(user.mute_expires_at)}</Fact>}
      </dl>
      {user.notes && (
        <>
          <h4 className="mt-4 font-medium">Admin notes</h4>
          <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap text-muted">
            {user.notes}
          </p>
        </>
      )}
    </Panel>
  )
}
