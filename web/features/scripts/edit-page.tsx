import ArrowLeft from 'lucide-react/icons/arrow-left'
import FileX from 'lucide-react/icons/file-x-corner'
import Lock from 'lucide-react/icons/lock'
import LogIn from 'lucide-react/icons/log-in'
import { useEffect, useState } from 'react'
import { readScriptId } from '#contract/slug.ts'
import { Link, useParams } from '#web/router/router.tsx'
import { MessagePage } from '#web/components/message-page.tsx'
import { NeedsScript } from '#web/components/needs-script.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { acquireDraftSlot, type DraftSlot } from '#web/lib/drafts.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EditForm } from './edit-form.tsx'
import { type EditState, openEdit } from './use-edit.ts'

/** Edits everything that the author can change about a script, at /scripts/{slug}/edit. */
export function Component() {
  const slug = useParams()['slug'] ?? ''
  const { status, user, signIn } = useSession()
  const id = readScriptId(slug)
  const [attempt, setAttempt] = useState(0)
  return (
    <>
      <PageHead title="Edit script" description="Edit your script." path={`/scripts/${slug}/edit`} isListed={false} />
      {id === null && <NotFound />}
      {id !== null && status === 'anonymous' && (
        <MessagePage
          icon={LogIn}
          title="Sign in to edit this script"
          text="You return to this page after signing in. Unsaved changes stay in this browser."
        >
          <Button variant="primary" onClick={() => void signIn()}>
            Login with Discord
          </Button>
        </MessagePage>
      )}
      {id !== null && status !== 'anonymous' && (
        <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-4 sm:py-6">
          <header className="flex flex-col gap-1">
            <Link
              to={`/scripts/${encodeURIComponent(slug)}`}
              className="-mx-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded-sm px-2 text-sm text-muted hover:text-text sm:min-h-8"
            >
              <ArrowLeft aria-hidden className="size-4" />
              Back to the script
            </Link>
            <h1 className="text-2xl font-semibold">Edit script</h1>
          </header>
          {user ? (
            <EditLoader
              key={`${user.id} ${id} ${attempt}`}
              script={{ id, slug }}
              memberId={user.id}
              onRetry={() => setAttempt(attempt + 1)}
            />
          ) : (
            <NeedsScript>
              <EditSkeleton />
            </NeedsScript>
          )}
        </div>
      )}
    </>
  )
}

function NotFound() {
  return (
    <MessagePage icon={FileX} title="Script Not Found" text="It may have been deleted, or the link may be wrong.">
      <LinkButton to="/scripts" variant="primary">
        Browse scripts
      </LinkButton>
    </MessagePage>
  )
}

interface LoaderProps {
  script: { id: number; slug: string }
  memberId: number
  onRetry: () => void
}

type Loaded = { edit: EditState; slot: DraftSlot } | { failure: string; isMissing: boolean }

function EditLoader({ script, memberId, onRetry }: LoaderProps) {
  const api = useApi()
  const [loaded, setLoaded] = useState<Loaded>()
  const { id, slug } = script
  useEffect(() => {
    let isUnmounted = false
    const load = async () => {
      const slot = await acquireDraftSlot(`edit:${memberId}:${id}`)
      try {
        const edit = await openEdit(api, slot, slug)
        // The form releases the slot.
        if (!isUnmounted) return setLoaded({ edit, slot })
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
  }, [api, memberId, id, slug])
  if (!loaded) return <EditSkeleton />
  if ('slot' in loaded && loaded.edit.authorId === memberId) {
    return <EditForm script={script} initial={loaded.edit} slot={loaded.slot} />
  }
  if ('slot' in loaded) return <NotTheAuthor slug={slug} slot={loaded.slot} />
  if (loaded.isMissing) return <NotFound />
  return (
    <div className="flex flex-col items-start gap-4">
      <FormAlert>Couldn't load the script. {loaded.failure}</FormAlert>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

function NotTheAuthor({ slug, slot }: { slug: string; slot: DraftSlot }) {
  useEffect(() => slot.release(), [slot])
  return (
    <MessagePage icon={Lock} title="Not your script" text="Only its author can edit this script.">
      <LinkButton to={`/scripts/${encodeURIComponent(slug)}`} variant="primary">
        Show the script
      </LinkButton>
    </MessagePage>
  )
}

function EditSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <output className="sr-only">Loading...</output>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-11" />
        <Skeleton className="h-120" />
        <Skeleton className="h-44" />
      </div>
      <Skeleton className="h-96 max-lg:hidden" />
    </div>
  )
}
