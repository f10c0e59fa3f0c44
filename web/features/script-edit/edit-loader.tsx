import FileX from 'lucide-react/icons/file-x-corner'
import Lock from 'lucide-react/icons/lock'
import LogIn from 'lucide-react/icons/log-in'
import { type ReactNode, useEffect, useState } from 'react'
import { MessagePage } from '#web/ui/message-page.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { acquireDraftSlot, type DraftSlot } from '#web/lib/drafts.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { openEdit, type OpenedEdit } from './open-edit.ts'

interface LoaderProps {
  scriptId: number
  /** Path of the script's page. */
  path: string
  children: (opened: OpenedEdit, slot: DraftSlot) => ReactNode
}

/**
 * Loads a script with its unsaved changes for its author, and asks visitors to sign in: a session that ends while a
 * member edits must not lose their place.
 */
export function EditLoader({ scriptId, ...props }: LoaderProps) {
  const { status, user } = useSession()
  const [attempt, setAttempt] = useState(0)
  if (status === 'anonymous') return <SignInMessage />
  if (!user) return <EditSkeleton />
  return (
    <MemberEdit
      key={`${user.id} ${scriptId} ${attempt}`}
      {...props}
      scriptId={scriptId}
      memberId={user.id}
      onRetry={() => setAttempt(attempt + 1)}
    />
  )
}

type Loaded = (OpenedEdit & { slot: DraftSlot }) | { failure: string; isMissing: boolean }

function MemberEdit({
  scriptId,
  path,
  memberId,
  onRetry,
  children,
}: LoaderProps & { memberId: number; onRetry: () => void }) {
  const loaded = useEditState(scriptId, memberId)
  if (!loaded) return <EditSkeleton />
  if ('slot' in loaded) {
    if (loaded.edit.authorId === memberId) return children(loaded, loaded.slot)
    return <NotTheAuthor path={path} slot={loaded.slot} />
  }
  if (loaded.isMissing) return <MissingMessage />
  return (
    <div className="flex flex-col items-start gap-4">
      <FormAlert>Couldn't load the script. {loaded.failure}</FormAlert>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

function useEditState(scriptId: number, memberId: number): Loaded | undefined {
  const api = useApi()
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    let isUnmounted = false
    const load = async () => {
      const slot = await acquireDraftSlot(`edit:${memberId}:${scriptId}`)
      try {
        const opened = await openEdit(api, slot, scriptId)
        // The form releases the slot.
        if (!isUnmounted) return setLoaded({ ...opened, slot })
      } catch (error) {
        const [failure, status] = error instanceof ApiError ? [error.message, error.status] : ['', 0]
        if (!isUnmounted) setLoaded({ failure, isMissing: status === 404 })
      }
      slot.release()
    }
    void load()
    return () => {
      isUnmounted = true
    }
  }, [api, memberId, scriptId])
  return loaded
}

function SignInMessage() {
  const { signIn } = useSession()
  return (
    <MessagePage
      icon={LogIn}
      title="Sign in to edit this script"
      text="You return to this page after signing in. Unsaved changes stay in this browser."
    >
      <Button variant="primary" onClick={() => void signIn()}>
        Login with Discord
      </Button>
    </MessagePage>
  )
}

export function MissingMessage() {
  return (
    <MessagePage icon={FileX} title="Script Not Found" text="It may have been deleted, or the link may be wrong.">
      <LinkButton to="/scripts" variant="primary">
        Browse scripts
      </LinkButton>
    </MessagePage>
  )
}

function NotTheAuthor({ path, slot }: { path: string; slot: DraftSlot }) {
  useEffect(() => slot.release(), [slot])
  return (
    <MessagePage icon={Lock} title="Not your script" text="Only its author can edit this script.">
      <LinkButton to={path} replace variant="primary">
        Show the script
      </LinkButton>
    </MessagePage>
  )
}

function EditSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-5">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-120" />
      <Skeleton className="h-44" />
    </div>
  )
}
