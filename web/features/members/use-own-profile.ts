import { useEffect, useState } from 'react'
import type { Profile } from '#contract/members.ts'
import { useApi } from '#web/lib/api-context.ts'

/** The member's own profile with all its fields; null when it could not be loaded, undefined until then. */
export function useOwnProfile(userId: number): Profile | null | undefined {
  const api = useApi()
  const [own, setOwn] = useState<Profile | null>()
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    api('GET /api/user-profiles', { query: { user_id: String(userId) }, signal }).then(
      ({ profile }) => setOwn(profile),
      () => {
        if (!signal.aborted) setOwn(null)
      },
    )
    return () => leaving.abort()
  }, [api, userId])
  return own
}
