import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { isRouteErrorResponse, useRevalidator } from 'react-router'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageTitle } from '#web/components/page-head.tsx'
import { stringIn } from '#web/lib/api-error.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'

/** The fallback for whatever nobody foresaw. Loading again clears the error. */
export function SomethingWentWrong({ error }: { error: unknown }) {
  const { revalidate, state } = useRevalidator()
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
        {/* A whole new page: what broke may be in this one's memory. */}
        <a href="/" className={buttonClass('secondary')}>
          Go Home
        </a>
      </div>
    </MessagePage>
  )
}

function detailsOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `HTTP ${error.status} ${error.statusText}`.trim()
  return stringIn(error, 'message') ?? 'No further details.'
}
