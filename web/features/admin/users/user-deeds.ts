import {
  Ban,
  BellOff,
  BellRing,
  type LucideIcon,
  Pencil,
  Shield,
  ShieldCheck,
  ShieldMinus,
  ShieldOff,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import type { AdminUser } from '#contract/admin.ts'
import { isMuted } from './user-standing.ts'

/** Done at once after a question. */
export type PlainDeed =
  | 'unban_user'
  | 'unmute_user'
  | 'make_admin'
  | 'remove_admin'
  | 'make_moderator'
  | 'remove_moderator'
/** Done with a form. */
export type FormDeed = 'edit_user' | 'ban_user' | 'warn_user' | 'mute_user'
export type Deed = PlainDeed | FormDeed

/** How a question and a failure speak of it. */
export const PLAIN_WORDS: Record<PlainDeed, string> = {
  unban_user: 'unban',
  unmute_user: 'unmute',
  make_admin: 'make admin',
  remove_admin: 'remove admin',
  make_moderator: 'make moderator',
  remove_moderator: 'remove moderator',
}

export const isPlain = (deed: Deed): deed is PlainDeed => deed in PLAIN_WORDS

export interface Choice {
  deed: Deed
  label: string
  icon: LucideIcon
  tone?: 'danger'
}

/** What can be done about a member, in the menu's order. */
export function deedsFor(user: AdminUser, now: number): Choice[] {
  return [
    { deed: 'edit_user', label: 'Edit User', icon: Pencil },
    user.is_admin
      ? { deed: 'remove_admin', label: 'Remove Admin', icon: ShieldOff }
      : { deed: 'make_admin', label: 'Make Admin', icon: ShieldCheck },
    user.is_moderator
      ? { deed: 'remove_moderator', label: 'Remove Moderator', icon: ShieldMinus }
      : { deed: 'make_moderator', label: 'Make Moderator', icon: Shield },
    { deed: 'warn_user', label: 'Issue Warning', icon: TriangleAlert },
    isMuted(user, now)
      ? { deed: 'unmute_user', label: 'Unmute', icon: BellRing }
      : { deed: 'mute_user', label: 'Mute', icon: BellOff },
    user.is_banned
      ? { deed: 'unban_user', label: 'Unban', icon: Undo2 }
      : { deed: 'ban_user', label: 'Ban', icon: Ban, tone: 'danger' },
  ]
}
