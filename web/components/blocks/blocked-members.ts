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
const listeners = new Set<() => void>()

function set(next: Blocked): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

async function load(api: Api, memberId: number): Promise<void> {
  if (state.memberId !== memberId) set({ memberId, members: undefined })
  const members = await api('GET /api/blocks').then(
    (response) => response.members,
    () => null,
  )
  if (state.memberId === memberId) set({ memberId, members })
}

/** The members whom the signed-in member has blocked, loaded once per page, and functions to change the list. */
export function useBlockedMembers() {
  const api = useApi()
  const memberId = useUser()?.id
  const { memberId: owner, members } = useSyncExternalStore(subscribe, () => state)
  useEffect(() => {
    if (memberId !== undefined && state.memberId !== memberId) void load(api, memberId)
  }, [api, memberId])
  const change = async (request: Promise<unknown>) => {
    await request
    if (memberId !== undefined) await load(api, memberId)
  }
  return {
    members: owner === memberId ? members : undefined,
    reload: () => change(Promise.resolve()),
    block: async (slug: string) => {
      const { profile } = await api('GET /api/user-profiles', { query: { user_id: slug } })
      await change(api('POST /api/blocks', { body: { user_id: profile.user_id } }))
    },
    unblock: (userId: number) => change(api('DELETE /api/blocks', { query: { user_id: userId } })),
  }
}
