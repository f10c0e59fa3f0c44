import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** Stands where data would be: why it is not there, and the way on. */
export function LoadError({ text, onRetry }: { text: string; onRetry: () => Promise<unknown> }) {
  return (
    <div role="alert">
      <EmptyState icon={CircleAlert} title="This could not be loaded" text={text}>
        <Button variant="primary" onClick={() => void onRetry()}>
          Try again
        </Button>
      </EmptyState>
    </div>
  )
}
