import { useCallback, useEffect, useState } from 'react'
import type { Script } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useUser } from '#web/lib/session.tsx'
import { useRevalidator } from '#web/router/router.tsx'
import { WaitingLine } from '#web/shared/waiting/waiting-line.tsx'
import { WaitingPanel } from '#web/shared/waiting/waiting-panel.tsx'

/** The version that waits, above a form with which its author may replace it. Empty if none waits. */
export function WaitingForEdit({ scriptId }: { scriptId: number }) {
  const api = useApi()
  const user = useUser()
  const { revalidate } = useRevalidator()
  const [script, setScript] = useState<Script>()
  const load = useCallback(
    () =>
      api('GET /api/script-details-slug', { query: { slug: `script-${scriptId}` } }).then(
        (found) => setScript(found.script),
        // The form says what is wrong.
        () => undefined,
      ),
    [api, scriptId],
  )
  useEffect(() => void load(), [load])
  if (!script?.waiting || script.author_id !== user?.id) return null
  return (
    <section
      aria-label="The version that waits"
      className="mb-5 flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface-1 px-4 py-3"
    >
      <WaitingLine waiting={script.waiting} />
      <p className="text-muted">
        {script.waiting.is_first
          ? 'The form has its code. Saving other code replaces it.'
          : 'The form has the current code. Saving other code replaces the version that waits.'}
      </p>
      <WaitingPanel
        key={script.waiting.number}
        script={script}
        waiting={script.waiting}
        isAuthor
        isDisowning={false}
        reload={() => Promise.all([load(), revalidate()])}
      />
    </section>
  )
}
