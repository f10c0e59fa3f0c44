import { useEffect, useState } from 'react'
import type { ResultOf } from '#contract/operations.ts'
import { useApi } from '#web/lib/api-context.ts'
import { OpenCases } from '#web/shared/open-cases.tsx'

/** The open cases about a script, for its author. Empty if there are none, or if they cannot be loaded: /appeals has them, too. */
export function ScriptCases({ scriptId }: { scriptId: number }) {
  const api = useApi()
  const [loaded, setLoaded] = useState<ResultOf<'GET /api/own-cases'>>()
  useEffect(() => {
    api('GET /api/own-cases').then(setLoaded, () => undefined)
  }, [api])
  if (!loaded) return null
  const open = loaded.open.filter((each) => each.subject_type === 'script' && each.subject_id === scriptId)
  return <OpenCases loaded={{ ...loaded, open }} />
}
