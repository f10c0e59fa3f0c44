import { useEffect, useState } from 'react'
import type { Giveaway } from '#contract/giveaways.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useSession } from '#web/lib/session.tsx'

/**
 * The giveaways as the one who looks sees them: the page holds what everybody may see, and once it is known who is there
 * their own entries and prizes come.
 */
export function useGiveaways(loaded: Giveaway[]) {
  const api = useApi()
  const memberId = useSession().user?.id
  const [own, setOwn] = useState<{ memberId: number; giveaways: Giveaway[] }>()
  useEffect(() => {
    if (memberId === undefined) return undefined
    const asking = new AbortController()
    api('GET /api/giveaways', { signal: asking.signal }).then(
      ({ data }) => setOwn({ memberId, giveaways: data.giveaways }),
      // The page that everybody sees stays; entering tells where something is wrong.
      () => undefined,
    )
    return () => asking.abort()
  }, [api, memberId])
  const isOwn = own !== undefined && own.memberId === memberId
  const giveaways = isOwn ? own.giveaways : loaded
  const replace = (changed: Giveaway) => {
    if (memberId === undefined) return
    setOwn({ memberId, giveaways: giveaways.map((one) => (one.id === changed.id ? changed : one)) })
  }
  return { giveaways, replace }
}
