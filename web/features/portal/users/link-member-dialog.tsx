import { useId, useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { DiscordIdField, parseDiscordId } from './discord-id-field.tsx'
import { useAdminAction } from '#web/features/portal/portal-data.ts'

/** Gives an imported member a Discord account, after a confirmation. */
export function LinkMemberDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const id = useId()
  const act = useAdminAction()
  const [discordId, setDiscordId] = useState('')
  const [isConfirmed, setConfirmed] = useState(false)
  const link = async () =>
    act(
      { action: 'link_member', user_id: user.id, discord_id: parseDiscordId(discordId) },
      { success: 'Discord account linked successfully', failure: 'Failed to link the Discord account' },
    )
  return (
    <FormDialog
      title={`Link a Discord account: ${user.username}`}
      submitLabel="Link account"
      busyLabel="Linking..."
      canSubmit={isConfirmed && discordId.trim() !== ''}
      onSubmit={link}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted">
            This member was imported and cannot sign in yet. The owner of the Discord account signs in as this member
            from then on, with their scripts and profile. This cannot be undone.
          </p>
          <DiscordIdField value={discordId} error={errors['discord_id']} onChange={setDiscordId} />
          <label htmlFor={id} className="flex min-h-11 cursor-pointer items-center gap-3">
            <Checkbox id={id} checked={isConfirmed} onChange={(event) => setConfirmed(event.target.checked)} />
            <span className="min-w-0 wrap-anywhere">
              I have checked that this Discord account belongs to <bdi className="font-medium">{user.username}</bdi>.
            </span>
          </label>
        </>
      )}
    </FormDialog>
  )
}
