import type { ComponentType } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { BanDialog } from './ban-dialog.tsx'
import { ConfirmUserAction } from './confirm-user-action.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { MuteDialog } from './mute-dialog.tsx'
import { type UserAction, type FormAction, isConfirmed } from './user-actions.ts'
import { WarnDialog } from './warn-dialog.tsx'

export interface UserDialogProps {
  user: AdminUser
  /** Called once it is done. */
  onDone: () => void
  onClose: () => void
}

const forms: Record<FormAction, ComponentType<UserDialogProps>> = {
  edit_user: EditDialog,
  ban_user: BanDialog,
  warn_user: WarnDialog,
  mute_user: MuteDialog,
}

/** The dialog in which a deed is done. */
export function UserDialog({ deed, ...props }: UserDialogProps & { deed: UserAction }) {
  if (isConfirmed(deed)) return <ConfirmUserAction action={deed} {...props} />
  const Form = forms[deed]
  return <Form {...props} />
}
