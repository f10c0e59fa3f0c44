import { useEffect, useSyncExternalStore } from 'react'
import type { BlockedMember } from '#contract/blocks.ts'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { useUser } from '#web/lib/session.tsx'

interface Blocked {
  /** Whose list this is. */
  memberId: number | undefined
  /** Undefined while loading, null if loading failed. */
  members: readonly BlockedMember[] | null | undefined
}

let state: Blocked = { memberId: undefined, members: undefined }
/** The request whose response counts. Responses may arrive in another order. */
let lastRequest = 0
const listeners = new Set<() => void>()

export const readBlocked = (): Blocked => state

function set(next: Blocked): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Loads a member's list. If that fails, the list that is known stays. */
export async function loadBlocked(api: Api, memberId: number): Promise<void> {
  if (state.memberId !== memberId) set({ memberId, members: undefined })
  const request = ++lastRequest
  const members = await api('GET /api/blocks').then(
    (response) => response.members,
    () => null,
  )
  if (request === lastRequest) set({ memberId, members: members ?? state.members ?? null })
}

type Change = (members: readonly BlockedMember[]) => readonly BlockedMember[]

/** Shows what the member did, and then the list that the server has. */
async function applyChange(api: Api, memberId: number | undefined, change: Change): Promise<void> {
  if (memberId === undefined) return
  if (state.memberId === memberId && state.members) set({ memberId, members: change(state.members) })
  await loadBlocked(api, memberId)
}

/** The members whom the signed-in member has blocked, loaded once per page, and functions to change the list. */
export function useBlockedMembers() {
  const api = useApi()
  const memberId = useUser()?.id
  const { memberId: owner, members } = useSyncExternalStore(subscribe, readBlocked)
  useEffect(() => {
    if (memberId !== undefined && state.memberId !== memberId) void loadBlocked(api, memberId)
  }, [api, memberId])
  return {
    members: owner === memberId ? members : undefined,
    reload: () => applyChange(api, memberId, (all) => all),
    block: async (slug: string) => {
      const { profile } = await api('GET /api/user-profiles', { query: { user_id: slug } })
      const { user_id, display_name, username, avatar_url } = profile
      await api('POST /api/blocks', { body: { user_id } })
      const name = display_name || username
      const added = { user_id, name, slug: profile.slug, avatar_url, blocked_at: new Date().toISOString() }
      await applyChange(api, memberId, (all) => [added, ...all.filter((one) => one.user_id !== user_id)])
    },
    unblock: async (userId: number) => {
      await api('DELETE /api/blocks', { query: { user_id: userId } })
      await applyChange(api, memberId, (all) => all.filter(({ user_id }) => user_id !== userId))
    },
  }
}
