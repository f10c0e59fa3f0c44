import { useCallback, useEffect, useState } from 'react'
import type { Profile } from '#contract/members.ts'
import { useApi } from '../../lib/api-context.ts'

export type OwnProfile = { state: 'loading' | 'failed' } | { state: 'loaded'; profile: Profile }

/** The member's own profile with all its fields, and the way to try again. */
export function useOwnProfile(userId: number): OwnProfile & { load: () => void } {
  const api = useApi()
  const [own, setOwn] = useState<OwnProfile>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    setOwn({ state: 'loading' })
    api('GET /api/user-profiles', { query: { user_id: String(userId) }, signal }).then(
      ({ profile }) => setOwn({ state: 'loaded', profile }),
      () => {
        if (!signal.aborted) setOwn({ state: 'failed' })
      },
    )
    return () => leaving.abort()
  }, [api, userId, attempt])
  const load = useCallback(() => setAttempt((count) => count + 1), [])
  return { ...own, load }
}
