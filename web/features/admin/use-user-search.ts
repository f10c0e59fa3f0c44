import { useEffect, useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { useApi } from '#web/lib/api-context.ts'
import { readUsers } from './read-admin.ts'

const WAIT_MS = 200
const MOST = 8

/** The members that a text finds, a moment after the last key. */
export function useUserSearch(text: string): { users: readonly AdminUser[]; isSearching: boolean } {
  const api = useApi()
  const search = text.trim()
  const [found, setFound] = useState<{ search: string; users: readonly AdminUser[] }>({ search: '', users: [] })
  useEffect(() => {
    if (!search) return undefined
    const leave = new AbortController()
    const timer = setTimeout(() => {
      readUsers(api, { search, limit: MOST, sort: 'username', order: 'asc' }, leave.signal).then(
        ({ users }) => setFound({ search, users }),
        // Typing on asks again.
        () => setFound({ search, users: [] }),
      )
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [api, search])
  const isSearching = found.search !== search
  return { users: search === '' ? [] : found.users, isSearching }
}
