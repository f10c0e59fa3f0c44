import { useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { ReasonField } from '#web/shared/reason-field.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { FailureList } from '#web/features/portal/failure-list.tsx'
import { useAdminAction } from '#web/features/portal/portal-data.ts'
import { parseDuration } from './user-dialogs.tsx'

const ACTIONS = {
  '': 'Choose an action...',
  ban: 'Ban',
  unban: 'Unban',
  make_moderator: 'Make Moderator',
  remove_moderator: 'Remove Moderator',
  warn: 'Issue Warning',
}
const BAN_HOURS = { '24': '24 hours', '168': '7 days', '720': '30 days', permanent: 'Permanent' }

interface Failure {
  user_id: number
  error: string
}

/** One action on all selected members. Members for whom it failed are listed and can be tried again. */
export function BulkUserDialog({ users, onClose }: { users: readonly AdminUser[]; onClose: () => void }) {
  const act = useAdminAction()
  const toast = useToast()
  const [action, setAction] = useState<keyof typeof ACTIONS>('')
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState<keyof typeof BAN_HOURS>('24')
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const targets = failures.length > 0 ? users.filter(({ id }) => failures.some(({ user_id }) => user_id === id)) : users
  const needsReason = action === 'ban' || action === 'warn'

  const apply = async () => {
    if (!action) return
    setFailures([])
    const { failed = [] } = await act(
      {
        action: 'bulk_action',
        bulk_action: action,
        user_ids: targets.map(({ id }) => id),
        ...(needsReason ? { reason: reason.trim() } : {}),
        ...(action === 'ban' ? { duration: parseDuration(hours) } : {}),
      },
      {
        success: (result) => {
          const count = targets.length - (result.failed?.length ?? 0)
          return count > 0 ? `Bulk action completed for ${count} users` : undefined
        },
        failure: 'Failed to perform bulk action',
      },
    )
    if (failed.length === 0) return
    setFailures(failed)
    toast({ title: `Failed for ${failed.length} of ${targets.length} users`, tone: 'info' })
    // Keeps the dialog open.
    throw new Error('The bulk action failed for some users.')
  }

  return (
    <FormDialog
      title={`Bulk actions: ${targets.length} ${targets.length === 1 ? 'user' : 'users'}`}
      submitLabel="Apply"
      busyLabel="Applying..."
      tone={action === 'ban' ? 'danger' : 'primary'}
      canSubmit={action !== '' && (!needsReason || reason.trim() !== '')}
      onSubmit={apply}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <ChoiceField name="bulk_action" label="Action" value={action} options={ACTIONS} onChange={setAction} />
          {needsReason && <ReasonField value={reason} error={errors['reason']} onChange={setReason} />}
          {action === 'ban' && (
            <ChoiceField name="duration" label="Duration" value={hours} options={BAN_HOURS} onChange={setHours} />
          )}
          <FailureList
            failures={failures.map(({ user_id, error }) => ({
              id: user_id,
              name: users.find(({ id }) => id === user_id)?.username ?? String(user_id),
              error,
            }))}
          />
        </>
      )}
    </FormDialog>
  )
}
