import { Button } from './button.tsx'
import { useIsOnline, useWhenOnline } from './use-connection.ts'

/** Replaces a part of a page that could not be loaded. Tries again as soon as the connection is back. */
export function LoadFailure({ text, onRetry }: { text: string; onRetry: () => void }) {
  const isOnline = useIsOnline()
  useWhenOnline(onRetry)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p>{isOnline ? text : "You're offline. This loads as soon as you're back."}</p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
