import GitBranch from 'lucide-react/icons/git-branch'
import { useEffect, useRef, useState } from 'react'
import {
  MAX_BRANCH_LENGTH,
  MAX_ENVIRONMENT_LENGTH,
  MAX_PUBLISHERS,
  MAX_REPOSITORY_LENGTH,
  MAX_WORKFLOW_LENGTH,
} from '#contract/limits.ts'
import type { ResultOf } from '#contract/operations.ts'
import type { Script } from '#contract/scripts.ts'
import type { Forge, NewTrustedPublisher, TrustedPublisher } from '#contract/trusted-publishing.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { needsSignIn, SignInAgainDialog } from '#web/shared/sign-in/sign-in-again.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { readPendingAction, takePendingAction } from '#web/lib/pending-action.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { BuildSetup } from './build-setup.tsx'

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
      text="Builds on GitHub or GitLab publish new versions of this script, without a stored token. Each build gets a token that works for 15 minutes and can do nothing else."
    >
      <PublisherList key={attempt} script={script} onRetry={() => setAttempt(attempt + 1)} />
    </FormSection>
  )
}

function readPendingPublisher(scriptId: number): NewTrustedPublisher | undefined {
  const action = readPendingAction()
  if (!action?.startsWith(PENDING)) return undefined
  const draft = JSON.parse(action.slice(PENDING.length)) as NewTrustedPublisher
  return draft.script_id === scriptId ? draft : undefined
}

function PublisherList({ script, onRetry }: Props & { onRetry: () => void }) {
  const api = useApi()
  const run = useAction()
  const [loaded, setLoaded] = useState<Loaded | null>()
  const [draft, setDraft] = useState(() => readPendingPublisher(script.id))
  const [interrupted, setInterrupted] = useState<NewTrustedPublisher>()
  const [removing, setRemoving] = useState<TrustedPublisher>()
  const list = useRef<HTMLUListElement>(null)
  const hasRemoved = useRef(false)
  useEffect(() => {
    let isUnmounted = false
    api('GET /api/trusted-publishers', { query: { id: script.id } }).then(
      (result) => !isUnmounted && setLoaded(result),
      () => !isUnmounted && setLoaded(null),
    )
    return () => {
      isUnmounted = true
    }
  }, [api, script.id])
  useEffect(() => {
    const action = readPendingAction()
    if (action?.startsWith(PENDING)) takePendingAction(action)
  }, [])
  // The button that had the focus is gone. An effect, because the page is inert until the dialog has closed.
  useEffect(() => {
    if (removing || !hasRemoved.current) return
    hasRemoved.current = false
    list.current?.focus()
  }, [removing])

  const change = (edit: (publishers: TrustedPublisher[]) => TrustedPublisher[]) =>
    setLoaded((current) => current && { ...current, publishers: edit(current.publishers) })
  const remove = async ({ id, repository }: TrustedPublisher) => {
    await run(() => api('DELETE /api/trusted-publishers', { query: { id } }), {
      success: `Removed ${repository}`,
      failure: "Couldn't remove the trusted publisher",
    })
    change((publishers) => publishers.filter((publisher) => publisher.id !== id))
    hasRemoved.current = true
  }

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
        {loaded?.publishers.map((publisher) => (
          <PublisherRow
            key={publisher.id}
            publisher={publisher}
            site={loaded.audience}
            slug={script.slug}
            onRemove={() => setRemoving(publisher)}
          />
        )) ?? (
          <li>
            <Skeleton className="h-20" />
          </li>
        )}
        {loaded?.publishers.length === 0 && <li className="text-muted">No build may publish this script yet.</li>}
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
      {draft && loaded && (
        <NewPublisherDialog
          initial={draft}
          forges={loaded.forges}
          onAdded={(publisher) => change((publishers) => [...publishers, publisher])}
          onSignInRequired={setInterrupted}
          onClose={() => setDraft(undefined)}
        />
      )}
      {interrupted && (
        <SignInAgainDialog
          action={PENDING + JSON.stringify(interrupted)}
          purpose="add a trusted publisher"
          onClose={() => setInterrupted(undefined)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title="Remove this publisher?"
          text={
            <>
              Builds of <bdi className="font-medium text-text">{removing.repository}</bdi> can no longer publish this
              script with this binding. Running builds lose their token at once.
            </>
          }
          confirmLabel="Remove publisher"
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
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

interface DialogProps {
  initial: NewTrustedPublisher
  forges: readonly Forge[]
  onAdded: (publisher: TrustedPublisher) => void
  onSignInRequired: (draft: NewTrustedPublisher) => void
  onClose: () => void
}

function NewPublisherDialog({ initial, forges, onAdded, onSignInRequired, onClose }: DialogProps) {
  const api = useApi()
  const [draft, setDraft] = useState(initial)
  const [failure, setFailure] = useState<string>()
  const isGitHub = forges.find(({ url }) => url === draft.forge)?.kind !== 'gitlab'
  const submit = async () => {
    setFailure(undefined)
    try {
      onAdded((await api('POST /api/trusted-publishers', { body: draft })).publisher)
    } catch (error) {
      // The dialog closes, and opens again after the sign-in.
      if (needsSignIn(error)) return onSignInRequired(draft)
      setFailure(describeActionError(error))
      throw error
    }
  }
  const textField = (
    name: 'repository' | 'workflow' | 'branch' | 'environment' | 'repository_id',
    {
      label,
      help,
      maxLength,
      errors,
    }: { label: string; help: string; maxLength: number; errors: Record<string, string> },
  ) => (
    <Field
      name={name}
      label={label}
      isRequired={name === 'repository' || name === 'workflow'}
      help={help}
      error={errors[name]}
    >
      {(aria) => (
        <TextInput
          {...aria}
          value={draft[name] ?? ''}
          maxLength={maxLength}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(value) => setDraft({ ...draft, [name]: value })}
        />
      )}
    </Field>
  )
  return (
    <FormDialog
      title="Add a trusted publisher"
      submitLabel="Add publisher"
      busyLabel="Adding..."
      size="md"
      onSubmit={submit}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <ChoiceField
            name="forge"
            label="Server"
            value={draft.forge}
            options={Object.fromEntries(forges.map(({ url }) => [url, new URL(url).host]))}
            onChange={(forge) => {
              const { kind } = forges.find(({ url }) => url === forge) ?? {}
              setDraft({ ...draft, forge, workflow: kind === 'gitlab' ? '.gitlab-ci.yml' : '' })
            }}
          />
          {textField('repository', {
            label: isGitHub ? 'Repository' : 'Project',
            help: isGitHub ? 'For example, owner/name.' : 'Its path, for example group/project.',
            maxLength: MAX_REPOSITORY_LENGTH,
            errors,
          })}
          {textField('workflow', {
            label: isGitHub ? 'Workflow file' : 'Pipeline configuration',
            help: isGitHub ? 'A file in .github/workflows, such as release.yml.' : 'Its path in the repository.',
            maxLength: MAX_WORKFLOW_LENGTH,
            errors,
          })}
          {textField('branch', {
            label: 'Branch (optional)',
            help: 'Trust builds of this branch only. Builds of pull requests never publish.',
            maxLength: MAX_BRANCH_LENGTH,
            errors,
          })}
          {textField('environment', {
            label: 'Environment (optional)',
            help: 'Trust jobs of this environment only, for example one with required reviewers.',
            maxLength: MAX_ENVIRONMENT_LENGTH,
            errors,
          })}
          {textField('repository_id', {
            label: 'Repository number (optional)',
            help: 'We learn it from the first build, so that nobody else can publish from a new repository of this name.',
            maxLength: 20,
            errors,
          })}
          <p className="text-sm text-muted">A script can have {MAX_PUBLISHERS} publishers.</p>
          {failure && Object.keys(errors).length === 0 && <FormAlert>{failure}</FormAlert>}
        </>
      )}
    </FormDialog>
  )
}
