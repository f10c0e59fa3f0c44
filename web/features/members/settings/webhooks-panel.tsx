import { useCallback, useEffect, useState } from 'react'
import { MAX_WEBHOOKS } from '#contract/limits.ts'
import type { Webhook } from '#contract/webhooks.ts'
import { WebhooksView } from '#web/shared/webhooks/webhooks-view.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The member's webhooks: create, change, test, and see what was delivered. */
export function WebhooksPanel() {
  const { webhooks, reload } = useOwnWebhooks()
  return (
    <FormSection
      title="Webhooks"
      text="A webhook sends the events of your scripts, such as reviews and comments, to your server or to a Discord channel."
    >
      {webhooks === undefined && (
        <div aria-busy="true">
          <output className="sr-only">Loading...</output>
          <Skeleton className="h-24" />
        </div>
      )}
      {webhooks === null && (
        <div role="alert" className="flex flex-wrap items-center gap-3">
          <p>Couldn't load your webhooks.</p>
          <Button size="sm" onClick={() => void reload()}>
            Try again
          </Button>
        </div>
      )}
      {webhooks && <WebhooksView isSite={false} maxWebhooks={MAX_WEBHOOKS} webhooks={webhooks} reload={reload} />}
    </FormSection>
  )
}

/** The member's webhooks: undefined while loading, null if loading failed. A failed reload keeps the previous ones. */
function useOwnWebhooks(): { webhooks: Webhook[] | null | undefined; reload: () => Promise<void> } {
  const api = useApi()
  const [webhooks, setWebhooks] = useState<Webhook[] | null>()
  const load = useCallback(
    (signal?: AbortSignal) =>
      api('GET /api/webhooks', signal ? { signal } : {}).then(
        (loaded) => setWebhooks(loaded.webhooks),
        () => {
          if (!signal?.aborted) setWebhooks((previous) => previous ?? null)
        },
      ),
    [api],
  )
  useEffect(() => {
    const request = new AbortController()
    void load(request.signal)
    return () => request.abort()
  }, [load])
  return { webhooks, reload: () => load() }
}
