import type { LucideIcon } from 'lucide-react'
import Ban from 'lucide-react/icons/ban'
import BellOff from 'lucide-react/icons/bell-off'
import BellRing from 'lucide-react/icons/bell-ring'
import Pencil from 'lucide-react/icons/pencil'
import Shield from 'lucide-react/icons/shield'
import ShieldCheck from 'lucide-react/icons/shield-check'
import ShieldMinus from 'lucide-react/icons/shield-minus'
import ShieldOff from 'lucide-react/icons/shield-off'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import Undo2 from 'lucide-react/icons/undo-2'
import type { AdminUser } from '#contract/admin.ts'
import { isMuted } from './user-standing.ts'

/** Done at once after a question. */
export type ConfirmedAction =
  | 'unban_user'
  | 'unmute_user'
  | 'make_admin'
  | 'remove_admin'
  | 'make_moderator'
  | 'remove_moderator'
/** Done with a form. */
export type FormAction = 'edit_user' | 'ban_user' | 'warn_user' | 'mute_user'
export type UserAction = ConfirmedAction | FormAction

/** How a question and a failure speak of it. */
export const CONFIRMED_VERBS: Record<ConfirmedAction, string> = {
  unban_user: 'unban',
  unmute_user: 'unmute',
  make_admin: 'make admin',
  remove_admin: 'remove admin',
  make_moderator: 'make moderator',
  remove_moderator: 'remove moderator',
}

export const isConfirmed = (deed: UserAction): deed is ConfirmedAction => deed in CONFIRMED_VERBS

export interface Choice {
  action: UserAction
  label: string
  icon: LucideIcon
  tone?: 'danger'
}

/** What can be done about a member, in the menu's order. */
export function userActions(user: AdminUser, now: number): Choice[] {
  return [
    { action: 'edit_user', label: 'Edit User', icon: Pencil },
    user.is_admin
      ? { action: 'remove_admin', label: 'Remove Admin', icon: ShieldOff }
      : { action: 'make_admin', label: 'Make Admin', icon: ShieldCheck },
    user.is_moderator
      ? { action: 'remove_moderator', label: 'Remove Moderator', icon: ShieldMinus }
      : { action: 'make_moderator', label: 'Make Moderator', icon: Shield },
    { action: 'warn_user', label: 'Issue Warning', icon: TriangleAlert },
    isMuted(user, now)
      ? { action: 'unmute_user', label: 'Unmute', icon: BellRing }
      : { action: 'mute_user', label: 'Mute', icon: BellOff },
    user.is_banned
      ? { action: 'unban_user', label: 'Unban', icon: Undo2 }
      : { action: 'ban_user', label: 'Ban', icon: Ban, tone: 'danger' },
  ]
}
