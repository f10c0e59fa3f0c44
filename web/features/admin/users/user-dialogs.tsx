import type { ComponentType } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { BanDialog } from './ban-dialog.tsx'
import { ConfirmDeed } from './confirm-deed.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { MuteDialog } from './mute-dialog.tsx'
import { type Deed, type FormDeed, isPlain } from './user-deeds.ts'
import { WarnDialog } from './warn-dialog.tsx'

export interface DeedProps {
  user: AdminUser
  /** Called once it is done. */
  onDone: () => void
  onClose: () => void
}

const forms: Record<FormDeed, ComponentType<DeedProps>> = {
  edit_user: EditDialog,
  ban_user: BanDialog,
  warn_user: WarnDialog,
  mute_user: MuteDialog,
}

/** The dialog in which a deed is done. */
export function UserDialog({ deed, ...props }: DeedProps & { deed: Deed }) {
  if (isPlain(deed)) return <ConfirmDeed action={deed} {...props} />
  const Form = forms[deed]
  return <Form {...props} />
}
