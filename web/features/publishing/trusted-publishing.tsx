import GitBranch from 'lucide-react/icons/git-branch'
import { useEffect, useState } from 'react'
import type { ResultOf } from '#contract/operations.ts'
import type { Script } from '#contract/scripts.ts'
import type { Forge, NewTrustedPublisher, TrustedPublisher } from '#contract/trusted-publishing.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { pendingValues, readPendingValues, useTakePending } from '#web/shared/sign-in/pending-values.ts'
import { SignInAgainDialog } from '#web/shared/sign-in/sign-in-again.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useFocusAfterDialog } from '#web/ui/use-focus-after-dialog.ts'
import { BuildSetup } from './build-setup.tsx'
import { NewPublisherDialog } from './new-publisher-dialog.tsx'
import { OnlyBuilds } from './only-builds.tsx'

/** Start of the pending action that reopens the form with its values after a sign-in: `trusted publisher {...}`. */
const PENDING = 'trusted publisher '

interface Props {
  script: Pick<Script, 'id' | 'slug'>
}

type Loaded = ResultOf<'GET /api/trusted-publishers'>

/** Builds that may publish versions of the script: list, add, remove, and the workflow to copy. */
export function TrustedPublishing({ script }: Props) {
  const [attempt, setAttempt] = useState(0)
  return (
    <FormSection
      title="Trusted publishing"
      text="Let GitHub Actions or GitLab CI publish new versions without a stored token."
    >
      <PublisherList key={attempt} script={script} onRetry={() => setAttempt(attempt + 1)} />
    </FormSection>
  )
}

function readPendingPublisher(scriptId: number): NewTrustedPublisher | undefined {
  const draft = readPendingValues(PENDING) as NewTrustedPublisher | undefined
  return draft?.script_id === scriptId ? draft : undefined
}

/** The publishers of a script: undefined while loading, null if loading failed. */
function usePublishers(scriptId: number) {
  const api = useApi()
  const [loaded, setLoaded] = useState<Loaded | null>()
  useEffect(() => {
    let isUnmounted = false
    api('GET /api/trusted-publishers', { query: { id: scriptId } }).then(
      (result) => !isUnmounted && setLoaded(result),
      () => !isUnmounted && setLoaded(null),
    )
    return () => {
      isUnmounted = true
    }
  }, [api, scriptId])
  const change = (edit: (current: Loaded) => Partial<Loaded>) =>
    setLoaded((current) => current && { ...current, ...edit(current) })
  return [loaded, change] as const
}

function PublisherList({ script, onRetry }: Props & { onRetry: () => void }) {
  const [loaded, change] = usePublishers(script.id)
  const [draft, setDraft] = useState(() => readPendingPublisher(script.id))
  const [interrupted, setInterrupted] = useState<NewTrustedPublisher>()
  const [removing, setRemoving] = useState<TrustedPublisher>()
  const { target: list, focusAfterDialog } = useFocusAfterDialog<HTMLUListElement>(removing !== undefined)
  useTakePending(PENDING)

  if (loaded === null) {
    return <LoadFailure text="Couldn't load the trusted publishers." onRetry={onRetry} />
  }
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Trusted publishers"
        aria-busy={!loaded}
        className="divide-y divide-line outline-none"
      >
        {loaded ? (
          <PublisherRows loaded={loaded} slug={script.slug} onRemove={setRemoving} />
        ) : (
          <li>
            <Skeleton className="h-20" />
          </li>
        )}
      </ul>
      <Button
        variant="primary"
        disabled={!loaded}
        onClick={() => setDraft(emptyDraft(script.id, loaded?.forges[0]))}
        className="self-start"
      >
        <GitBranch aria-hidden className="size-4" />
        Add a publisher
      </Button>
      {loaded && (
        <OnlyBuilds
          scriptId={script.id}
          isOn={loaded.only_builds}
          hasPublishers={loaded.publishers.length > 0}
          onChange={(only_builds) => change(() => ({ only_builds }))}
        />
      )}
      {draft && loaded && (
        <NewPublisherDialog
          initial={draft}
          forges={loaded.forges}
          onAdded={(publisher) => change(({ publishers }) => ({ publishers: [...publishers, publisher] }))}
          onSignInRequired={setInterrupted}
          onClose={() => setDraft(undefined)}
        />
      )}
      {interrupted && (
        <SignInAgainDialog
          action={pendingValues(PENDING, interrupted)}
          purpose="add a trusted publisher"
          onClose={() => setInterrupted(undefined)}
        />
      )}
      {removing && (
        <RemoveDialog
          publisher={removing}
          onRemoved={() => {
            change(({ publishers }) => ({ publishers: publishers.filter(({ id }) => id !== removing.id) }))
            focusAfterDialog()
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}

interface RowsProps {
  loaded: Loaded
  slug: string
  onRemove: (publisher: TrustedPublisher) => void
}

function PublisherRows({ loaded: { publishers, audience }, slug, onRemove }: RowsProps) {
  if (publishers.length === 0) return <li className="text-muted">No publishers yet.</li>
  return publishers.map((publisher) => (
    <PublisherRow
      key={publisher.id}
      publisher={publisher}
      site={audience}
      slug={slug}
      onRemove={() => onRemove(publisher)}
    />
  ))
}

interface RemoveDialogProps {
  publisher: TrustedPublisher
  onRemoved: () => void
  onClose: () => void
}

function RemoveDialog({ publisher: { id, repository }, onRemoved, onClose }: RemoveDialogProps) {
  const api = useApi()
  const run = useAction()
  const remove = async () => {
    await run(() => api('DELETE /api/trusted-publishers', { query: { id } }), {
      success: `Removed ${repository}`,
      failure: "Couldn't remove the trusted publisher",
    })
    onRemoved()
  }
  return (
    <ConfirmDialog
      title="Remove this publisher?"
      text={
        <>
          Builds of <bdi className="font-medium text-text">{repository}</bdi> can no longer publish this script with
          this binding. Running builds lose their token at once.
        </>
      }
      confirmLabel="Remove publisher"
      onConfirm={remove}
      onClose={onClose}
    />
  )
}

const emptyDraft = (script_id: number, forge: Forge | undefined): NewTrustedPublisher => ({
  script_id,
  forge: forge?.url ?? '',
  repository: '',
  workflow: forge?.kind === 'gitlab' ? '.gitlab-ci.yml' : '',
})

interface RowProps {
  publisher: TrustedPublisher
  site: string
  slug: string
  onRemove: () => void
}

function PublisherRow({ publisher, site, slug, onRemove }: RowProps) {
  const { forge, repository, repository_id, workflow, branch, environment, last_used_at } = publisher
  const conditions = [
    workflow,
    branch === null ? 'any branch or tag' : `branch ${branch}`,
    ...(environment === null ? [] : [`environment ${environment}`]),
  ]
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex items-start gap-3">
        <GitBranch aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">
            <a href={`${forge.url}/${repository}`} rel="noreferrer" className="hover:text-accent hover:underline">
              <bdi>{repository}</bdi>
            </a>
          </p>
          <p className="text-sm text-muted wrap-anywhere">
            {new URL(forge.url).host} · {conditions.join(' · ')}
          </p>
          <p className="text-sm text-muted">
            {last_used_at ? (
              <>
                Last used <RelativeTime iso={last_used_at} />
              </>
            ) : (
              'Never used'
            )}
            {repository_id !== null && <> · repository number {repository_id}</>}
          </p>
        </div>
        <Button size="sm" onClick={onRemove} className="shrink-0">
          Remove<span className="sr-only"> {repository}</span>
        </Button>
      </div>
      <BuildSetup publisher={publisher} site={site} slug={slug} />
    </li>
  )
}
