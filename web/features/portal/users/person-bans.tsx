import { useState } from 'react'
import { Link } from '#web/router/router.tsx'
import type { PersonBan } from '#contract/admin.ts'
import { timeText } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useAdminAction } from '#web/features/portal/portal-data.ts'
import { BanDialog } from './user-dialogs.tsx'

/** Current bans of people without an account, who are on no other list, and a way to ban anyone by Discord ID. */
export function PersonBans({ bans }: { bans: readonly PersonBan[] }) {
  const [isBanning, setBanning] = useState(false)
  const [lifting, setLifting] = useState<PersonBan>()
  return (
    <Panel
      title="Bans without an account"
      aside={
        <Button size="sm" aria-haspopup="dialog" onClick={() => setBanning(true)}>
          Ban by Discord ID
        </Button>
      }
    >
      {bans.length === 0 && (
        <p className="text-muted">No bans. You can also ban people who deleted their account or never had one.</p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {bans.map((ban) => (
          <li key={ban.person_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium wrap-anywhere">
                <PersonName ban={ban} />
              </p>
              <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                {ban.reason}
              </p>
              <p className="text-sm text-muted">
                {timeText(ban.imposed_at)} by <bdi>{ban.imposed_by ?? 'a former admin'}</bdi>,{' '}
                {ban.ends_at === null ? 'permanent' : `until ${timeText(ban.ends_at)}`}
              </p>
            </div>
            <Button
              size="sm"
              aria-haspopup="dialog"
              aria-label={`Unban ${nameOf(ban)}`}
              onClick={() => setLifting(ban)}
            >
              Unban
            </Button>
          </li>
        ))}
      </ul>
      {isBanning && <BanDialog onClose={() => setBanning(false)} />}
      {lifting && <UnbanDialog ban={lifting} onClose={() => setLifting(undefined)} />}
    </Panel>
  )
}

function nameOf({ user_ids }: PersonBan): string {
  return user_ids.length > 0 ? `deleted account ${user_ids.join(', ')}` : 'a person who never had an account'
}

function PersonName({ ban }: { ban: PersonBan }) {
  const [first] = ban.user_ids
  if (first === undefined) return 'Banned by Discord ID, never had an account'
  return (
    <>
      Deleted account{' '}
      <Link to={`/admin/users/${first}`} className="hover:text-accent hover:underline">
        {ban.user_ids.join(', ')}
      </Link>
    </>
  )
}

function UnbanDialog({ ban, onClose }: { ban: PersonBan; onClose: () => void }) {
  const act = useAdminAction()
  return (
    <ConfirmDialog
      title="Confirm action"
      tone="primary"
      text={`Unban ${nameOf(ban)}? They can sign in, and their votes count. To reverse it, ban them again.`}
      confirmLabel="Unban"
      busyLabel="Working..."
      onConfirm={() =>
        act(
          { action: 'unban_user', person_id: ban.person_id },
          { success: ({ message }) => message, failure: 'Failed to unban' },
        )
      }
      onClose={onClose}
    />
  )
}
