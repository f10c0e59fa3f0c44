import { useEffect, useState } from 'react'
import type { ScriptVersion } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'

interface HeldVersion {
  version: ScriptVersion
  code: string
  /** The version that visitors get; undefined if there is none. */
  currentNumber: number | undefined
  holdHours: number
}

/** The version that waits as its author and the staff read it, with its code. Undefined while loading and on errors. */
export function useHeldVersion(scriptId: number, number: number, isHeld: boolean): HeldVersion | undefined {
  const api = useApi()
  const [loaded, setLoaded] = useState<HeldVersion>()
  useEffect(() => {
    if (!isHeld) return undefined
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      const [{ version }, { versions }, { hold_hours }] = await Promise.all([
        api('GET /api/script-version', { query: { id: scriptId, number }, signal }),
        api('GET /api/script-versions', { query: { id: scriptId }, signal }),
        api('GET /api/hold-settings', { signal }),
      ])
      const current = versions.find(({ is_current, state }) => is_current && state === 'current')
      setLoaded({ version, code: version.script_content, currentNumber: current?.number, holdHours: hold_hours })
    }
    // Without it, the reasons are shown without their code.
    load().catch(() => undefined)
    return () => controller.abort()
  }, [api, scriptId, number, isHeld])
  return loaded?.version.number === number ? loaded : undefined
}
