import { useState } from 'react'
import type { Script } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useAction } from '#web/shared/use-action.ts'

/** Adds findings to what the author of a script declares. A first version that waits for that is public then. */
export function useDeclareFound(
  { id, declared_capabilities }: Pick<Script, 'id' | 'declared_capabilities'>,
  reload: () => Promise<unknown>,
) {
  const api = useApi()
  const run = useAction()
  const [isBusy, setBusy] = useState(false)
  const declare = async (ids: readonly string[]) => {
    if (isBusy) return
    setBusy(true)
    const declared = [...new Set([...(declared_capabilities ?? []), ...ids])].toSorted()
    try {
      await run(() => api('PUT /api/script-details', { query: { id }, body: { declared_capabilities: declared } }), {
        success: ({ script }) => (script.waiting ? 'Declared. We check it once more.' : 'Your script is public'),
        failure: "Couldn't save the declaration",
      })
    } catch {
      // The message was shown.
    } finally {
      setBusy(false)
      await reload()
    }
  }
  return { declare, isBusy }
}
