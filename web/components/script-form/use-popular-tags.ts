import { useEffect, useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'

/** The names of the most used tags, none while they are on their way or do not come: a help, no need. */
export function usePopularTags(count: number): string[] {
  const api = useApi()
  const [names, setNames] = useState<string[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    api('GET /api/script-tags', { signal: leaving.signal })
      .then(({ tags }) => setNames(tags.slice(0, count).map(({ name }) => name)))
      .catch(() => undefined)
    return () => leaving.abort()
  }, [api, count])
  return names
}
