import FolderGit from 'lucide-react/icons/folder-git-2'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { NewRepositorySource, RepositorySource } from '#contract/repository-sync.ts'
import type { Script } from '#contract/scripts.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { pendingValues, readPendingValues, useTakePending } from '#web/shared/sign-in/pending-values.ts'
import { SignInAgainDialog, needsSignIn } from '#web/shared/sign-in/sign-in-again.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { readPendingAction } from '#web/lib/pending-action.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useFocusAfterDialog } from '#web/ui/use-focus-after-dialog.ts'
import { ConnectDialog } from './connect-dialog.tsx'
import {
  draftOf,
  emptyDraft,
  type LoadedSource as Loaded,
  withoutSource,
  withSource,
  withSync,
} from './source-state.ts'
import { SyncLog } from './sync-log.tsx'
import { WebhookSetup } from './webhook-setup.tsx'

/** Starts of the pending actions that continue after a sign-in, with the form's values or the script's id. */
const PENDING_CONNECT = 'connect repository '
const PENDING_SECRET = 'replace repository secret'
const POLL_MS = 2000

interface Props {
  script: Pick<Script, 'id' | 'slug'>
}

/** The repository whose pushes update the script: connect, webhook, log, sync now. */
export function RepositorySync({ script }: Props) {
  const [attempt, setAttempt] = useState(0)
  return (
    <FormSection
      title="Sync from a repository"
      text="A push to your public repository publishes a new version if the file changed."
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
  const isWaiting =
    loaded?.syncs.some(({ state, version_state }) => state === 'waiting' || version_state === 'checking') ?? false
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
  const draft = readPendingValues(PENDING_CONNECT) as NewRepositorySource | undefined
  return draft?.script_id === scriptId ? draft : undefined
}

interface SourceProps extends Props {
  loaded: Loaded
  onChange: (change: (current: Loaded) => Loaded) => void
}

function Source({ script, loaded, onChange }: SourceProps) {
  const [draft, setDraft] = useState(() => readPendingSource(script.id))
  const [isReplacing, setReplacing] = useState(() => readPendingAction() === `${PENDING_SECRET} ${script.id}`)
  const [interrupted, setInterrupted] = useState<{ action: string; purpose: string }>()
  const [isDisconnecting, setDisconnecting] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { source, syncs, forges } = loaded
  const { target: connectButton, focusAfterDialog } = useFocusAfterDialog<HTMLButtonElement>(isDisconnecting)
  useTakePending(PENDING_CONNECT)
  useTakePending(PENDING_SECRET)
  return (
    <>
      {source ? (
        <>
          <SourceSummary source={source} />
          <div className="flex flex-wrap gap-2">
            <SyncButton script={script} onSync={(sync) => onChange((current) => withSync(current, sync))} />
            <Button onClick={() => setDraft(draftOf(source))}>Change</Button>
            <Button onClick={() => setDisconnecting(true)}>Disconnect</Button>
          </div>
          <WebhookSetup source={source} secret={secret} onReplace={() => setReplacing(true)} />
          <SyncLog source={source} syncs={syncs} />
        </>
      ) : (
        <NoSource buttonRef={connectButton} onConnect={() => setDraft(emptyDraft(script.id, forges[0]?.url))} />
      )}
      {draft && (
        <ConnectDialog
          initial={draft}
          forges={forges}
          isChange={source !== null}
          onConnected={(connected) => {
            setSecret(connected.secret ?? undefined)
            onChange((current) => withSource(current, connected.source))
          }}
          onSignInRequired={(values) =>
            setInterrupted({ action: pendingValues(PENDING_CONNECT, values), purpose: 'connect a repository' })
          }
          onClose={() => setDraft(undefined)}
        />
      )}
      {interrupted && <SignInAgainDialog {...interrupted} onClose={() => setInterrupted(undefined)} />}
      {isReplacing && (
        <ReplaceSecretDialog
          script={script}
          onReplaced={setSecret}
          onSignInRequired={() =>
            setInterrupted({ action: `${PENDING_SECRET} ${script.id}`, purpose: 'replace the secret' })
          }
          onClose={() => setReplacing(false)}
        />
      )}
      {isDisconnecting && source && (
        <DisconnectDialog
          script={script}
          source={source}
          onDisconnected={() => {
            setSecret(undefined)
            focusAfterDialog()
            onChange(withoutSource)
          }}
          onClose={() => setDisconnecting(false)}
        />
      )}
    </>
  )
}

function SyncButton({ script, onSync }: Props & { onSync: (sync: Loaded['syncs'][number]) => void }) {
  const api = useApi()
  const run = useAction()
  const syncNow = async () => {
    const { sync } = await run(() => api('POST /api/repository-sync', { body: { script_id: script.id } }), {
      success: 'Looking for the file...',
      failure: "Couldn't start the update",
    })
    onSync(sync)
  }
  return (
    <Button variant="primary" onClick={() => void syncNow().catch(() => undefined)}>
      <RefreshCw aria-hidden className="size-4" />
      Sync now
    </Button>
  )
}

interface NoSourceProps {
  buttonRef: RefObject<HTMLButtonElement | null>
  onConnect: () => void
}

function NoSource({ buttonRef, onConnect }: NoSourceProps) {
  return (
    <>
      <p className="text-muted">No repository is connected.</p>
      <Button ref={buttonRef} variant="primary" onClick={onConnect} className="self-start">
        <FolderGit aria-hidden className="size-4" />
        Connect a repository
      </Button>
    </>
  )
}

interface ReplaceSecretProps extends Props {
  onReplaced: (secret: string) => void
  onSignInRequired: () => void
  onClose: () => void
}

function ReplaceSecretDialog({ script, onReplaced, onSignInRequired, onClose }: ReplaceSecretProps) {
  const api = useApi()
  const run = useAction()
  const replace = async () => {
    try {
      const replaced = await api('POST /api/repository-secret', { body: { script_id: script.id } })
      onReplaced(replaced.secret)
    } catch (error) {
      if (!needsSignIn(error)) {
        await run(() => Promise.reject(error as Error), { success: '', failure: "Couldn't replace the secret" })
      }
      onSignInRequired()
    }
  }
  return (
    <ConfirmDialog
      title="Replace the secret?"
      text="Pushes are rejected until you enter the new secret in the webhook of the repository. It is shown once."
      confirmLabel="Replace secret"
      tone="primary"
      onConfirm={replace}
      onClose={onClose}
    />
  )
}

interface DisconnectProps extends Props {
  source: RepositorySource
  onDisconnected: () => void
  onClose: () => void
}

function DisconnectDialog({ script, source, onDisconnected, onClose }: DisconnectProps) {
  const api = useApi()
  const run = useAction()
  const disconnect = async () => {
    await run(() => api('DELETE /api/repository-source', { query: { id: script.id } }), {
      success: 'Disconnected the repository',
      failure: "Couldn't disconnect the repository",
    })
    onDisconnected()
  }
  return (
    <ConfirmDialog
      title="Disconnect the repository?"
      text={
        <>
          Pushes to <bdi className="font-medium text-text">{source.connection.repository}</bdi> no longer update this
          script. Its versions stay. The log is deleted.
        </>
      }
      confirmLabel="Disconnect"
      onConfirm={disconnect}
      onClose={onClose}
    />
  )
}

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
