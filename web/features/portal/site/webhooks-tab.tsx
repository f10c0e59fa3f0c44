import { MAX_SITE_WEBHOOKS } from '#contract/limits.ts'
import type { ResultOf } from '#contract/operations.ts'
import { WebhooksView } from '#web/shared/webhooks/webhooks-view.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { LoadError, TabSkeleton } from '#web/features/portal/tab-parts.tsx'

export const loader = createLoader((api, { signal }) => api('GET /api/site-webhooks', { signal }), {
  errorTitle: 'Failed to fetch webhooks',
})

export function Component() {
  const { data, error, reload } = useTabData<ResultOf<'GET /api/site-webhooks'>>()
  if (error) return <LoadError text={error} onRetry={reload} />
  if (!data) return <TabSkeleton />
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        Site webhooks send the events of all public scripts and of giveaways to a server or to a Discord channel.
        Members can create their own webhooks in their settings.
      </p>
      <Panel title="Site webhooks">
        <div className="flex flex-col gap-5">
          <WebhooksView isSite maxWebhooks={MAX_SITE_WEBHOOKS} webhooks={data.webhooks} reload={reload} />
        </div>
      </Panel>
    </div>
  )
}
