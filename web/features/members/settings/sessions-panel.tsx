import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import { useEffect, useRef, useState } from 'react'
import type { SessionInfo } from '#contract/accounts.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const PHONES = /iPhone|iPad|Android/

/** Where the member is signed in, with buttons to sign out. */
export function SessionsPanel() {
  const [attempt, setAttempt] = useState(0)
  return (
    <FormSection
      title="Sessions"
      text="Where you are signed in. Sign out of anything you don't recognize or no longer use."
    >
      <SessionList key={attempt} onRetry={() => setAttempt(attempt + 1)} />
    </FormSection>
  )
}

function SessionList({ onRetry }: { onRetry: () => void }) {
  const api = useApi()
  const run = useAction()
  const { signOut } = useSession()
  const [sessions, setSessions] = useSessionList()
  const [isConfirming, setConfirming] = useState(false)
  const list = useRef<HTMLUListElement>(null)

  const end = async ({ id, device, is_current }: SessionInfo) => {
    if (is_current) return signOut()
    await run(() => api('DELETE /api/sessions', { query: { id } }), {
      success: `Signed out ${device ? `of ${device}` : 'of the unknown device'}`,
      failure: "Couldn't sign out",
    })
    setSessions((current) => current?.filter((session) => session.id !== id))
    // The button that had the focus is gone.
    list.current?.focus()
  }
  const endAll = async () => {
    await run(() => api('DELETE /api/sessions', { query: { all: 'true' } }), {
      success: "You're signed out everywhere",
      failure: "Couldn't sign out everywhere",
    })
    await signOut()
  }

  if (sessions === null) {
    return <LoadFailure text="Couldn't load your sessions." onRetry={onRetry} />
  }
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Sessions"
        aria-busy={!sessions}
        className="divide-y divide-line outline-none"
      >
        {sessions?.map((session) => <SessionRow key={session.id} session={session} onEnd={() => end(session)} />) ?? (
          <li>
            <Skeleton className="h-15" />
          </li>
        )}
      </ul>
      <Button variant="danger" disabled={!sessions} onClick={() => setConfirming(true)} className="self-start">
        Sign out everywhere
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title="Sign out everywhere?"
          text="This ends all your sessions at once, this one included. You can sign in again with Discord."
          confirmLabel="Sign out everywhere"
          onConfirm={endAll}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}

function SessionRow({ session, onEnd }: { session: SessionInfo; onEnd: () => Promise<void> }) {
  const { device, is_current, created_at, last_used_at } = session
  const [isBusy, setBusy] = useState(false)
  const Icon = PHONES.test(device) ? Smartphone : Monitor
  const name = device || 'Unknown device'
  const end = () => {
    setBusy(true)
    void onEnd().catch(() => setBusy(false))
  }
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {name}
          {is_current && <Pill tone="success">This device</Pill>}
        </p>
        <p className="text-sm text-muted">
          {is_current ? (
            'In use now'
          ) : (
            <>
              Last used <RelativeTime iso={last_used_at} />
            </>
          )}
          <span aria-hidden className="max-sm:hidden">
            {' · '}
          </span>
          <span className="max-sm:block">
            signed in <RelativeTime iso={created_at} />
          </span>
        </p>
      </div>
      <Button size="sm" disabled={isBusy} onClick={end} className="shrink-0">
        Sign out<span className="sr-only"> of {name}</span>
      </Button>
    </li>
  )
}

type Sessions = SessionInfo[] | null | undefined

/** The member's sessions: undefined while loading, null if loading failed. */
function useSessionList() {
  const api = useApi()
  const [sessions, setSessions] = useState<Sessions>()
  useEffect(() => {
    const request = new AbortController()
    const { signal } = request
    api('GET /api/sessions', { signal }).then(
      (loaded) => setSessions(loaded.sessions),
      () => {
        if (!signal.aborted) setSessions(null)
      },
    )
    return () => request.abort()
  }, [api])
  return [sessions, setSessions] as const
}
