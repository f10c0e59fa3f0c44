import type { CurrentUser } from '#contract/accounts.ts'
import { MemberAvatar } from '#web/components/member-avatar.tsx'

export const accountButtonClass =
  'inline-flex min-h-11 min-w-0 items-center gap-2 rounded-full p-0.5 font-medium hover:bg-surface-2 sm:rounded-sm sm:pr-2'

/** The member's avatar, with their name on wide screens. */
export function AccountAvatar({ user }: { user: CurrentUser }) {
  return (
    <>
      <MemberAvatar member={user} name={user.username} />
      <span className="truncate max-sm:sr-only">{user.username || 'You'}</span>
    </>
  )
}
