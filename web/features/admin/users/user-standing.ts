import type { AdminUser } from '#contract/admin.ts'
import type { PillTone } from '#web/ui/pill.tsx'

type Standing = Pick<AdminUser, 'is_banned' | 'mute_expires_at' | 'is_admin' | 'is_moderator'>

/** Whether a mute holds at `now`. */
export function isMuted({ mute_expires_at }: Pick<AdminUser, 'mute_expires_at'>, now: number): boolean {
  if (mute_expires_at === null) return false
  return mute_expires_at === 'permanent' || Date.parse(mute_expires_at) > now
}

/** What matters most of how a member stands. */
export function statusOf(user: Standing, now: number): { label: string; tone: PillTone } {
  if (user.is_banned) return { label: 'Banned', tone: 'danger' }
  if (isMuted(user, now)) return { label: 'Muted', tone: 'warning' }
  if (user.is_admin) return { label: 'Admin', tone: 'accent' }
  if (user.is_moderator) return { label: 'Moderator', tone: 'accent' }
  return { label: 'Active', tone: 'success' }
}

export function roleOf({ is_admin, is_moderator }: Pick<AdminUser, 'is_admin' | 'is_moderator'>): string {
  if (is_admin) return 'Admin'
  return is_moderator ? 'Moderator' : 'User'
}
