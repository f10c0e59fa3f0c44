import type { LucideIcon } from 'lucide-react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleX from 'lucide-react/icons/circle-x'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import { type ReactNode, useEffect, useReducer, useState } from 'react'
import { Link, useParams } from '#web/router/router.tsx'
import { data, type LoaderArgs } from '#web/router/routes.ts'
import type { GiveawayDraw } from '#contract/giveaways.ts'
import { NeedsScript } from '#web/shared/sign-in/needs-script.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { apiContext, useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { isDrawn, type Replay, replayDraw } from './replay-draw.ts'

const DESCRIPTION = 'Repeats the draw in your browser and compares the result.'

/** Sets the status of the page. The browser fetches the draw, which may have very many entries. */
export async function loader({ context, params, request }: LoaderArgs) {
  if (!import.meta.env.SSR) return null
  const { giveaways } = (await context.get(apiContext)('GET /api/giveaways', { signal: request.signal })).data
  return data(null, { status: giveaways.some(({ id }) => String(id) === params['id']) ? 200 : 404 })
}

export function Component() {
  const id = Number(useParams()['id'])
  const [attempt, retry] = useReducer((attempts: number) => attempts + 1, 0)
  return <VerifiedDraw key={`${id} ${attempt}`} id={id} onRetry={retry} />
}

function VerifiedDraw({ id, onRetry }: { id: number; onRetry: () => void }) {
  const check = useDrawCheck(id)
  return (
    // As high as the screen, so that the footer does not move when the result arrives.
    <div className="mx-auto flex min-h-dvh w-full max-w-3xl flex-col gap-4 px-4 py-8">
      <PageHead
        title="Verify a draw"
        description={DESCRIPTION}
        path={`/giveaways/${id}/draw`}
        isListed={!check.failure}
      />
      <Link to="/giveaways" className="inline-flex min-h-11 w-fit items-center gap-2 text-accent hover:underline">
        <ArrowLeft aria-hidden className="size-4" />
        All giveaways
      </Link>
      <h1 className="text-2xl font-semibold">Verify a draw</h1>
      <p className="text-muted">
        When a giveaway is created, we publish a SHA-256 hash of a secret seed. At draw time, entries are sorted by
        HMAC-SHA-256(seed, entry number) and the seed is revealed. Nobody can choose winners afterwards, and you can
        repeat the draw yourself.
      </p>
      {check.draw || check.failure ? (
        <Report check={check} id={id} onRetry={onRetry} />
      ) : (
        <NeedsScript>
          <Skeleton className="h-72" />
        </NeedsScript>
      )}
    </div>
  )
}

interface DrawCheck {
  draw?: GiveawayDraw
  replay?: Replay
  /** Share of the entries processed so far, 0 to 1. */
  progress: number
  /** Error message if the draw could not be loaded or repeated. */
  failure?: string
  canRetry?: boolean
}

const NO_CRYPTO = 'Your browser can only verify draws over HTTPS. Use the JSON below to verify it elsewhere.'

/** Fetches a draw and repeats it in the browser. */
function useDrawCheck(id: number): DrawCheck {
  const api = useApi()
  const [check, setCheck] = useState<DrawCheck>({ progress: 0 })
  useEffect(() => {
    const request = new AbortController()
    const set = (next: DrawCheck) => {
      if (!request.signal.aborted) setCheck(next)
    }
    const run = async () => {
      const draw = await api('GET /api/giveaway-draw', { query: { id }, signal: request.signal })
      set({ draw, progress: 0 })
      if (!isDrawn(draw)) return
      // crypto.subtle exists on secure pages only.
      if (!isSecureContext) return set({ draw, progress: 0, failure: NO_CRYPTO })
      const replay = await replayDraw(draw, (progress) => set({ draw, progress }))
      set({ draw, replay, progress: 1 })
    }
    run().catch((error: unknown) => {
      const failure = error instanceof ApiError ? describeActionError(error) : "Couldn't verify the draw."
      set({ progress: 0, failure, canRetry: !(error instanceof ApiError && error.status === 404) })
    })
    return () => request.abort()
  }, [api, id])
  return check
}

function Report({ check, id, onRetry }: { check: DrawCheck; id: number; onRetry: () => void }) {
  return (
    <section className="flex flex-col gap-4 rounded-lg border border-line bg-surface-1 p-4">
      {check.draw && (
        <h2 dir="auto" className="text-lg font-semibold wrap-anywhere">
          {check.draw.title}
        </h2>
      )}
      <div role="status">
        <Verdict {...check} />
      </div>
      {check.canRetry && (
        <Button variant="primary" className="w-fit" onClick={onRetry}>
          Try again
        </Button>
      )}
      {check.draw && <Details draw={check.draw} calculated={check.replay?.winners} />}
      {check.draw && (
        <a href={`/api/giveaway-draw?id=${id}`} className="w-fit py-1 text-accent underline underline-offset-2">
          All published data as JSON
        </a>
      )}
    </section>
  )
}

function Verdict({ draw, replay, progress, failure }: DrawCheck) {
  if (failure) return <Line icon={CircleAlert} look="text-danger" text={failure} />
  if (!draw?.drawn_at) {
    return (
      <Line
        icon={CircleAlert}
        look="text-muted"
        text="The winners have not been drawn yet. Come back after the draw."
      />
    )
  }
  if (!replay) {
    return <Line icon={LoaderCircle} look="text-accent" text={`Verifying… ${Math.floor(progress * 100)}%`} />
  }
  const { isSeedValid, areWinnersSame } = replay
  if (isSeedValid && areWinnersSame) {
    const text = 'Verified. The seed matches the published hash and the winners match.'
    return <Line icon={CircleCheck} look="text-success" text={text} />
  }
  const mismatch = isSeedValid ? 'The winners differ.' : 'The seed does not match the published hash.'
  return <Line icon={CircleX} look="text-danger" text={`Verification failed. ${mismatch}`} />
}

function Line({ icon: Icon, look, text }: { icon: LucideIcon; look: string; text: string }) {
  return (
    <p className="flex items-start gap-2 font-medium">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${look}`} />
      {text}
    </p>
  )
}

function Details({ draw, calculated }: { draw: GiveawayDraw; calculated: number[] | undefined }) {
  return (
    <dl className="grid gap-3">
      <Detail label="SHA-256 of the seed, published in advance">{draw.seed_sha256}</Detail>
      {draw.seed && <Detail label="Seed, revealed by the draw">{draw.seed}</Detail>}
      <Detail label="Entries in the draw">{fullCount(draw.entries.length)}</Detail>
      {draw.drawn_at && <Detail label="Published winners">{draw.winners.join(', ')}</Detail>}
      {draw.drawn_at && <Detail label="Winners we calculated">{calculated ? calculated.join(', ') : '…'}</Detail>}
    </dl>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="font-mono text-sm wrap-anywhere">{children}</dd>
    </div>
  )
}
