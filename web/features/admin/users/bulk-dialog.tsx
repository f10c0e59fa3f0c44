import { useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { useApi } from '#web/lib/api-context.ts'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { BULK_BAN_HOURS, readDuration } from '#web/features/admin/durations.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { act } from '#web/features/admin/read-admin.ts'
import { ReasonField } from '#web/components/reason-field.tsx'
import { useAction } from '#web/components/use-action.ts'

const ACTIONS = {
  '': 'Choose an action...',
  ban: 'Ban',
  unban: 'Unban',
  make_moderator: 'Make Moderator',
  remove_moderator: 'Remove Moderator',
  warn: 'Issue Warning',
}
type Action = keyof typeof ACTIONS

interface Failed {
  user_id: number
  error: string
}

/** One deed for all selected members. Whom it did not reach is named, and why. */
export function BulkDialog({
  users,
  onDone,
  onClose,
}: {
  users: readonly AdminUser[]
  onDone: () => void
  onClose: () => void
}) {
  const api = useApi()
  const deed = useAction()
  const toast = useToast()
  const [action, setAction] = useState<Action>('')
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState<keyof typeof BULK_BAN_HOURS>('24')
  const [failed, setFailed] = useState<readonly Failed[]>([])
  // Those it reached need it no more.
  const wanted = failed.length > 0 ? users.filter(({ id }) => failed.some(({ user_id }) => user_id === id)) : users
  const needsReason = action === 'ban' || action === 'warn'

  const run = async () => {
    if (!action) return
    setFailed([])
    const body = {
      action: 'bulk_action' as const,
      bulk_action: action,
      user_ids: wanted.map(({ id }) => id),
      ...(needsReason ? { reason: reason.trim() } : {}),
      ...(action === 'ban' ? { duration: readDuration(hours) } : {}),
    }
    const answer = await deed(() => act(api, body), {
      success: ({ failed: missed = [] }) => `Bulk action completed for ${wanted.length - missed.length} users`,
      failure: 'Failed to perform bulk action',
    })
    onDone()
    if (!answer.failed?.length) return
    setFailed(answer.failed)
    toast({ title: `${answer.failed.length} of ${wanted.length} users were not reached`, tone: 'info' })
    throw new Error('Some were not reached.')
  }

  return (
    <FormDialog
      title={`Bulk Actions: ${wanted.length} ${wanted.length === 1 ? 'user' : 'users'}`}
      submitLabel="Apply"
      busyLabel="Applying..."
      tone={action === 'ban' ? 'danger' : 'primary'}
      canSubmit={action !== '' && (!needsReason || reason.trim() !== '')}
      onSubmit={run}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <ChoiceField name="bulk_action" label="Action" value={action} options={ACTIONS} onChange={setAction} />
          {needsReason && <ReasonField value={reason} error={errors['reason']} onChange={setReason} />}
          {action === 'ban' && (
            <ChoiceField name="duration" label="Duration" value={hours} options={BULK_BAN_HOURS} onChange={setHours} />
          )}
          {failed.length > 0 && <Missed failed={failed} users={users} />}
        </>
      )}
    </FormDialog>
  )
}

function Missed({ failed, users }: { failed: readonly Failed[]; users: readonly AdminUser[] }) {
  return (
    <FormAlert>
      <p>Not reached:</p>
      <ul className="list-inside list-disc">
        {failed.map(({ user_id, error }) => (
          <li key={user_id}>
            <bdi className="font-medium">{users.find(({ id }) => id === user_id)?.username ?? user_id}</bdi>: {error}
          </li>
        ))}
      </ul>
    </FormAlert>
  )
}
