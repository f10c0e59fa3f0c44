import Plus from 'lucide-react/icons/plus'
import { useEffect, useId, useState } from 'react'
import { Link } from '#web/router/router.tsx'
import type { OwnCollection } from '#contract/collections.ts'
import { CollectionDialog } from '#web/shared/collections/collection-dialog.tsx'
import { collectionUrl, describeItems } from '#web/shared/collections/collection-list.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { PageScript } from './script-details.ts'

export function CollectDialog({ script, onClose }: { script: PageScript; onClose: () => void }) {
  const api = useApi()
  const [attempt, setAttempt] = useState(0)
  const [isCreating, setCreating] = useState(false)
  const [loaded, setLoaded] = useState<{ attempt: number; collections: OwnCollection[] | null }>()
  const reload = () => setAttempt((count) => count + 1)
  useEffect(() => {
    const request = new AbortController()
    api('GET /api/own-collections', { query: { script_id: script.id }, signal: request.signal }).then(
      ({ collections }) => setLoaded({ attempt, collections }),
      () => {
        if (!request.signal.aborted) setLoaded({ attempt, collections: null })
      },
    )
    return () => request.abort()
  }, [api, script.id, attempt])
  if (isCreating) {
    return <CollectionDialog scriptId={script.id} onSaved={reload} onClose={() => setCreating(false)} />
  }
  const collections = loaded?.collections
  return (
    <Dialog title="Add to collection" size="sm" onClose={onClose}>
      <div className="flex flex-col gap-4">
        {collections === undefined && <Skeleton className="h-24" />}
        {collections === null && <LoadFailure text="Couldn't load your collections." onRetry={reload} />}
        {collections?.length === 0 && <p className="text-muted">Group scripts in a list you can share.</p>}
        {collections && collections.length > 0 && (
          <ul aria-label="Your collections" className="flex flex-col">
            {collections.map((collection) => (
              <Choice key={collection.id} collection={collection} scriptId={script.id} />
            ))}
          </ul>
        )}
        <div className="flex flex-wrap justify-between gap-2">
          <Button onClick={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" />
            New collection
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** A collection that the script is in or not. Changes apply at once. */
function Choice({ collection, scriptId }: { collection: OwnCollection; scriptId: number }) {
  const id = useId()
  const api = useApi()
  const run = useAction()
  const [hasScript, setHasScript] = useState(collection.has_script)
  const [count, setCount] = useState(collection.item_count)
  const [isBusy, setBusy] = useState(false)
  const change = async (isIn: boolean) => {
    const key = { collection_id: collection.id, script_id: scriptId }
    setBusy(true)
    setHasScript(isIn)
    try {
      const response = await run(
        () =>
          isIn ? api('POST /api/collection-items', { body: key }) : api('DELETE /api/collection-items', { query: key }),
        {
          success: isIn ? `Added to ${collection.name}` : `Removed from ${collection.name}`,
          failure: `Couldn't change ${collection.name}`,
        },
      )
      setCount(response.collection.item_count)
    } catch {
      setHasScript(!isIn)
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="flex min-h-11 items-center gap-3 border-b border-line py-1 last:border-0">
      <input
        id={id}
        type="checkbox"
        checked={hasScript}
        disabled={isBusy}
        onChange={(event) => void change(event.target.checked)}
        className="size-5 shrink-0 accent-accent-strong"
      />
      <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer py-2">
        <bdi className="block truncate font-medium">{collection.name}</bdi>
        <span className="text-sm text-muted tabular-nums">
          {describeItems(count)}, {collection.is_public ? 'public' : 'private'}
        </span>
      </label>
      <Link
        to={collectionUrl(collection.slug)}
        aria-label={`Open ${collection.name}`}
        className="inline-flex min-h-11 items-center px-2 text-sm text-accent hover:underline sm:min-h-8"
      >
        Open
      </Link>
    </li>
  )
}
