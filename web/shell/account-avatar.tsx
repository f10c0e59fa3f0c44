import type { CurrentUser } from '#contract/accounts.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'

export const accountButtonClass = 'inline-flex rounded-full p-0.5 hover:bg-surface-2'

/** The member's avatar, 44 px wide with the button around it. Its size does not depend on the member's name. */
export function AccountAvatar({ user }: { user: CurrentUser }) {
  return (
    <>
      <MemberAvatar member={user} name={user.username} />
      <span className="sr-only">{user.username || 'You'}</span>
    </>
  )
}
