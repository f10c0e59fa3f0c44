import Compass from 'lucide-react/icons/compass'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { useEffect } from 'react'
import { useRevalidator, useRouteError } from '#web/router/router.tsx'
import { ErrorResponse } from '#web/router/routes.ts'
import { MessagePage } from '#web/ui/message-page.tsx'
import { PageTitle } from './page-head.tsx'
import { stringIn } from '#web/lib/api-error.ts'
import { Button, buttonClass, LinkButton } from '#web/ui/button.tsx'
import { useWhenOnline } from '#web/ui/use-connection.ts'

export function RouteErrorPage() {
  const error = useRouteError()
  if (error instanceof ErrorResponse && error.status === 404) return <NotFoundPage />
  return <UnexpectedErrorPage error={error} />
}

export function NotFoundPage() {
  return (
    <MessagePage
      icon={Compass}
      title="Page not found"
      text="This page doesn't exist. The link may be broken, or the page was removed."
    >
      <PageTitle title="Page not found" />
      <meta name="robots" content="noindex" />
      <div className="flex flex-wrap justify-center gap-2">
        <LinkButton to="/scripts" variant="primary">
          Browse scripts
        </LinkButton>
        <LinkButton to="/">Go to the front page</LinkButton>
      </div>
    </MessagePage>
  )
}

/** Revalidating the route clears its error. */
function UnexpectedErrorPage({ error }: { error: unknown }) {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    // The service worker may have the page, and has one that says that there is no connection.
    if (!navigator.onLine && navigator.serviceWorker?.controller) location.reload()
  }, [])
  useWhenOnline(() => void revalidate())
  return (
    <MessagePage
      icon={TriangleAlert}
      title="Something went wrong"
      text="We're sorry, but something unexpected happened. Please try refreshing the page."
    >
      <PageTitle title="Something went wrong" />
      <meta name="robots" content="noindex" />
      <details className="w-full rounded-md border border-line bg-surface-1 text-left">
        <summary className="min-h-11 px-4 py-3 font-medium">Error Details</summary>
        <pre className="overflow-x-auto border-t border-line px-4 py-3 font-mono text-sm whitespace-pre-wrap text-muted">
          {detailsOf(error)}
        </pre>
      </details>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" disabled={state === 'loading'} onClick={() => void revalidate()}>
          Try Again
        </Button>
        {/* A full page load, because the error may come from the state in memory. */}
        <a href="/" className={buttonClass('secondary')}>
          Go Home
        </a>
      </div>
    </MessagePage>
  )
}

function detailsOf(error: unknown): string {
  if (error instanceof ErrorResponse) return `HTTP ${error.status}`
  return stringIn(error, 'message') ?? 'No further details.'
}
