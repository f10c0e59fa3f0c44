import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { useSession } from '#web/lib/session.tsx'

/** Looks a second time for a profile that visitors do not find: admins see banned members too. */
export function useAdminsView(isMissing: boolean): void {
  const { revalidate } = useRevalidator()
  const isAdmin = useSession().user?.is_admin === true
  useEffect(() => {
    if (isMissing && isAdmin) void revalidate()
  }, [isMissing, isAdmin, revalidate])
}
