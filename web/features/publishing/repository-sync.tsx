import FolderGit from 'lucide-react/icons/folder-git-2'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ResultOf } from '#contract/operations.ts'
import type { NewRepositorySource, RepositorySource } from '#contract/repository-sync.ts'
import type { Script } from '#contract/scripts.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { SignInAgainDialog, needsSignIn } from '#web/shared/sign-in/sign-in-again.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { readPendingAction, takePendingAction } from '#web/lib/pending-action.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { SyncLog } from './sync-log.tsx'
import { WebhookSetup } from './webhook-setup.tsx'

/** Starts of the pending actions that continue after a sign-in, with the form's values or the script's id. */
const PENDING_CONNECT = 'connect repository '
const PENDING_SECRET = 'replace repository secret'
const POLL_MS = 2000

interface Props {
  script: Pick<Script, 'id' | 'slug'>
}

type Loaded = ResultOf<'GET /api/repository-source'>

/** The repository whose pushes update the script: connect, webhook, log, sync now. */
export function RepositorySync({ script }: Props) {
  const [attempt, setAttempt] = useState(0)
  return (
    <FormSection
      title="Updates by pushes"
      text="Pushes to a public repository publish its file as the next version of this script. Unchanged code adds no version."
    >
      <SourceLoader key={attempt} script={script} onRetry={() => setAttempt(attempt + 1)} />
    </FormSection>
  )
}

function SourceLoader({ script, onRetry }: Props & { onRetry: () => void }) {
  const api = useApi()
  const [loaded, setLoaded] = useState<Loaded | null>()
  const load = useCallback(() => api('GET /api/repository-source', { query: { id: script.id } }), [api, script.id])
  useEffect(() => {
    let isUnmounted = false
    load().then(
      (result) => !isUnmounted && setLoaded(result),
      () => !isUnmounted && setLoaded(null),
    )
    return () => {
      isUnmounted = true
    }
  }, [load])
  const isWaiting = loaded?.syncs.some(({ state }) => state === 'waiting') ?? false
  useEffect(() => {
    if (!isWaiting) return
    // The result is outdated if something else has changed the state in the meantime.
    const show = (result: Loaded) => setLoaded((current) => (current === loaded ? result : current))
    const timer = setInterval(() => void load().then(show, () => undefined), POLL_MS)
    return () => clearInterval(timer)
  }, [loaded, isWaiting, load])
  if (loaded === null) {
    return <LoadFailure text="Couldn't load the repository." onRetry={onRetry} />
  }
  if (!loaded) return <Skeleton className="h-20" />
  return (
    <Source script={script} loaded={loaded} onChange={(change) => setLoaded((current) => current && change(current))} />
  )
}

function readPendingSource(scriptId: number): NewRepositorySource | undefined {
  const action = readPendingAction()
  if (!action?.startsWith(PENDING_CONNECT)) return undefined
  const draft = JSON.parse(action.slice(PENDING_CONNECT.length)) as NewRepositorySource
  return draft.script_id === scriptId ? draft : undefined
}

interface SourceProps extends Props {
  loaded: Loaded
  onChange: (change: (current: Loaded) => Loaded) => void
}

function Source({ script, loaded, onChange }: SourceProps) {
  const api = useApi()
  const run = useAction()
  const [draft, setDraft] = useState(() => readPendingSource(script.id))
  const [isReplacing, setReplacing] = useState(() => readPendingAction() === `${PENDING_SECRET} ${script.id}`)
  const [interrupted, setInterrupted] = useState<{ action: string; purpose: string }>()
  const [isDisconnecting, setDisconnecting] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { source, syncs, forges } = loaded
  const connectButton = useRef<HTMLButtonElement>(null)
  const hasDisconnected = useRef(false)
  useEffect(() => {
    const action = readPendingAction()
    if (action?.startsWith(PENDING_CONNECT) || action?.startsWith(PENDING_SECRET)) takePendingAction(action)
  }, [])
  // The button that had the focus is gone. An effect, because the page is inert until the dialog has closed.
  useEffect(() => {
    if (isDisconnecting || !hasDisconnected.current) return
    hasDisconnected.current = false
    connectButton.current?.focus()
  }, [isDisconnecting])

  const syncNow = async () => {
    const { sync } = await run(() => api('POST /api/repository-sync', { body: { script_id: script.id } }), {
      success: 'Looking for the file...',
      failure: "Couldn't start the update",
    })
    onChange((current) => {
      // The repository has been disconnected in the meantime.
      if (!current.source) return current
      return { ...current, syncs: [sync, ...current.syncs.filter(({ id }) => id !== sync.id)] }
    })
  }
  const disconnect = async () => {
    await run(() => api('DELETE /api/repository-source', { query: { id: script.id } }), {
      success: 'Disconnected the repository',
      failure: "Couldn't disconnect the repository",
    })
    setSecret(undefined)
    hasDisconnected.current = true
    onChange((current) => ({ ...current, source: null, syncs: [] }))
  }
  const replaceSecret = async () => {
    try {
      const replaced = await api('POST /api/repository-secret', { body: { script_id: script.id } })
      setSecret(replaced.secret)
    } catch (error) {
      if (!needsSignIn(error)) {
        await run(() => Promise.reject(error as Error), { success: '', failure: "Couldn't replace the secret" })
      }
      setInterrupted({ action: `${PENDING_SECRET} ${script.id}`, purpose: 'replace the secret' })
    }
  }
  return (
    <>
      {source ? (
        <>
          <SourceSummary source={source} />
          <div className="flex flex-wrap gap-2">
            <Button variant="primary" onClick={() => void syncNow().catch(() => undefined)}>
              <RefreshCw aria-hidden className="size-4" />
              Sync now
            </Button>
            <Button onClick={() => setDraft(draftOf(source))}>Change</Button>
            <Button onClick={() => setDisconnecting(true)}>Disconnect</Button>
          </div>
          <WebhookSetup source={source} secret={secret} onReplace={() => setReplacing(true)} />
          <SyncLog source={source} syncs={syncs} />
        </>
      ) : (
        <>
          <p className="text-muted">No repository is connected.</p>
          <Button
            ref={connectButton}
            variant="primary"
            onClick={() => setDraft(emptyDraft(script.id, forges[0]?.url))}
            className="self-start"
          >
            <FolderGit aria-hidden className="size-4" />
            Connect a repository
          </Button>
        </>
      )}
      {draft && (
        <ConnectDialog
          initial={draft}
          forges={forges}
          isChange={source !== null}
          onConnected={(connected) => {
            setSecret(connected.secret ?? undefined)
            onChange((current) => ({
              ...current,
              source: connected.source,
              syncs: current.source ? current.syncs : [],
            }))
          }}
          onSignInRequired={(values) =>
            setInterrupted({ action: PENDING_CONNECT + JSON.stringify(values), purpose: 'connect a repository' })
          }
          onClose={() => setDraft(undefined)}
        />
      )}
      {interrupted && <SignInAgainDialog {...interrupted} onClose={() => setInterrupted(undefined)} />}
      {isReplacing && (
        <ConfirmDialog
          title="Replace the secret?"
          text="Pushes are rejected until you enter the new secret in the webhook of the repository. It is shown once."
          confirmLabel="Replace secret"
          tone="primary"
          onConfirm={replaceSecret}
          onClose={() => setReplacing(false)}
        />
      )}
      {isDisconnecting && source && (
        <ConfirmDialog
          title="Disconnect the repository?"
          text={
            <>
              Pushes to <bdi className="font-medium text-text">{source.connection.repository}</bdi> no longer update
              this script. Its versions stay. The log is deleted.
            </>
          }
          confirmLabel="Disconnect"
          onConfirm={disconnect}
          onClose={() => setDisconnecting(false)}
        />
      )}
    </>
  )
}

const emptyDraft = (script_id: number, forge = ''): NewRepositorySource => ({
  script_id,
  forge,
  repository: '',
  branch: 'main',
  pattern: '',
})

const draftOf = ({ script_id, connection, branch, pattern }: RepositorySource): NewRepositorySource => ({
  script_id,
  forge: connection.forge.url,
  repository: connection.repository,
  branch,
  pattern,
})

function SourceSummary({ source }: { source: RepositorySource }) {
  const { connection, branch, pattern } = source
  const { forge, repository, last_received_at } = connection
  return (
    <div className="flex items-start gap-3">
      <FolderGit aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          <a href={`${forge.url}/${repository}`} rel="noreferrer" className="hover:text-accent hover:underline">
            <bdi>{repository}</bdi>
          </a>
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          {new URL(forge.url).host} · branch {branch} · {pattern}
        </p>
        <p className="text-sm text-muted">
          {last_received_at ? (
            <>
              Last event <RelativeTime iso={last_received_at} />
            </>
          ) : (
            'No event yet. Add the webhook to the repository.'
          )}
        </p>
      </div>
    </div>
  )
}
