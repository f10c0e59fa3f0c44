import { useEffect, useState } from 'react'
import type { CollectionSummary } from '#contract/collections.ts'
import { CollectionList } from '#web/shared/collections/collection-list.tsx'
import { useApi } from '#web/lib/api-context.ts'

/** A member's public collections; the viewer's own are all. Shows nothing if there are none. */
export function ProfileCollections({ memberId }: { memberId: number }) {
  const api = useApi()
  const [collections, setCollections] = useState<readonly CollectionSummary[]>([])
  useEffect(() => {
    const request = new AbortController()
    // The profile is complete without this list.
    api('GET /api/collections', { query: { user_id: memberId }, signal: request.signal }).then(
      (response) => setCollections(response.collections),
      () => undefined,
    )
    return () => request.abort()
  }, [api, memberId])
  if (collections.length === 0) return null
  return (
    <section aria-labelledby="collections" className="flex flex-col gap-3">
      <h2 id="collections" className="font-semibold">
        Collections
      </h2>
      <CollectionList collections={collections} />
    </section>
  )
}
