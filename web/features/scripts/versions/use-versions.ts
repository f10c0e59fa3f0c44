import { useEffect, useState } from 'react'
import type { ScriptVersion } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'

export type Versions = { state: 'loading' } | { state: 'failed' } | { state: 'there'; versions: ScriptVersion[] }

/** The kept versions of a script, newest first. */
export function useVersions(id: number): Versions {
  const api = useApi()
  const [found, setFound] = useState<Versions>({ state: 'loading' })
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    api('GET /api/script-versions', { query: { id }, signal }).then(
      ({ versions }) => setFound({ state: 'there', versions }),
      () => !signal.aborted && setFound({ state: 'failed' }),
    )
    return () => leaving.abort()
  }, [api, id])
  return found
}
