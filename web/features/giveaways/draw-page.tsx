import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useReducer } from 'react'
import { Link, useParams } from 'react-router'
import { PageHead } from '#web/components/page-head.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DrawReport } from './draw-report.tsx'
import { useDrawCheck } from './use-draw-check.ts'

const DESCRIPTION = 'Makes the draw of a giveaway again, here in your browser, and compares.'

export function Component() {
  const id = Number(useParams()['id'])
  const [attempt, retry] = useReducer((tried: number) => tried + 1, 0)
  return <CheckedDraw key={`${id} ${attempt}`} id={id} onRetry={retry} />
}

function CheckedDraw({ id, onRetry }: { id: number; onRetry: () => void }) {
  const check = useDrawCheck(id)
  return (
    // As high as the screen, so that what comes moves no footer about.
    <div className="mx-auto flex min-h-dvh w-full max-w-3xl flex-col gap-4 px-4 py-8">
      <PageHead
        title="Check a draw"
        description={DESCRIPTION}
        path={`/giveaways/${id}/draw`}
        isListed={!check.failure}
      />
      <Link to="/giveaways" className="inline-flex min-h-11 w-fit items-center gap-2 text-accent hover:underline">
        <ArrowLeft aria-hidden className="size-4" />
        All giveaways
      </Link>
      <h1 className="text-2xl font-semibold">Check a draw</h1>
      <p className="text-muted">
        When a giveaway is made, the site publishes the SHA-256 of a secret seed. The draw puts the entries into the
        order of HMAC-SHA-256 of the seed and the entry's number, and then reveals the seed. So nobody can pick winners
        afterwards, and you can make the same draw again.
      </p>
      {check.draw || check.failure ? (
        <DrawReport check={check} id={id} onRetry={onRetry} />
      ) : (
        <Skeleton className="h-72" />
      )}
    </div>
  )
}
