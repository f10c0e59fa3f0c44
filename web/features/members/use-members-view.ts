import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import type { CurrentUser } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.tsx'
import type { FoundProfile } from './load-profile.ts'

/** Whether this member may see more of a profile than visitors do. */
const isPrivileged = (user: CurrentUser, userId: number) => user.id === userId || user.is_admin

/** Loads a profile again when it was made for other eyes: the owner's and admins' own view, or after signing out. */
export function useMembersView({ profile, seenBy }: FoundProfile): { isOwner: boolean } {
  const { status, user } = useSession()
  const { revalidate } = useRevalidator()
  const isPoorer = seenBy === 'visitor' && user !== undefined && isPrivileged(user, profile.user_id)
  const isRicher = seenBy === 'member' && status === 'anonymous'
  useEffect(() => {
    if (isPoorer || isRicher) void revalidate()
  }, [isPoorer, isRicher, revalidate])
  return { isOwner: user?.id === profile.user_id }
}
