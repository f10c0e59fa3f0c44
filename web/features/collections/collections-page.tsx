import CloudOff from 'lucide-react/icons/cloud-off'
import Library from 'lucide-react/icons/library'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useState } from 'react'
import { useNavigate } from '#web/router/router.tsx'
import type { CollectionSummary } from '#contract/collections.ts'
import { CollectionDialog } from '#web/shared/collections/collection-dialog.tsx'
import { CollectionList, collectionUrl } from '#web/shared/collections/collection-list.tsx'
import { MembersOnly } from '#web/shared/sign-in/members-only.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function Component() {
  return (
    <>
      <PageHead title="Your collections" description="Lists of scripts." path="/collections" isListed={false} />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 py-8">
        <MembersOnly purpose="see your collections" skeleton={<Skeleton className="h-64" />}>
          {({ id }) => <OwnCollections key={id} />}
        </MembersOnly>
      </div>
    </>
  )
}

function OwnCollections() {
  const api = useApi()
  const navigate = useNavigate()
  const [attempt, setAttempt] = useState(0)
  const [isCreating, setCreating] = useState(false)
  const [loaded, setLoaded] = useState<{ attempt: number; collections: CollectionSummary[] | null }>()
  useEffect(() => {
    const request = new AbortController()
    api('GET /api/own-collections', { signal: request.signal }).then(
      ({ collections }) => setLoaded({ attempt, collections }),
      () => {
        if (!request.signal.aborted) setLoaded({ attempt, collections: null })
      },
    )
    return () => request.abort()
  }, [api, attempt])
  const collections = loaded?.attempt === attempt ? loaded.collections : undefined
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      New collection
    </Button>
  )
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex flex-col gap-1">
          <h1 className="text-2xl font-semibold">Your collections</h1>
          <p className="text-muted">Lists you put together. Public ones appear on your profile.</p>
        </div>
        {create}
      </header>
      <section aria-label="Your collections">
        <h2 className="sr-only">All collections</h2>
        {collections === undefined && <Skeleton className="h-28" />}
        {collections === null && (
          <EmptyState icon={CloudOff} title="Couldn't load your collections" text="Try again in a moment.">
            <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>
          </EmptyState>
        )}
        {collections?.length === 0 && (
          <EmptyState
            icon={Library}
            title="No collections yet"
            text="Start one here, or press Collect on a script's page."
          />
        )}
        {collections && collections.length > 0 && <CollectionList collections={collections} />}
      </section>
      {isCreating && (
        <CollectionDialog
          onSaved={({ slug }) => void navigate(collectionUrl(slug))}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}
