import Gift from 'lucide-react/icons/gift'
import type { LucideIcon } from 'lucide-react'
import Ticket from 'lucide-react/icons/ticket'
import Trophy from 'lucide-react/icons/trophy'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useLoaderData, useRevalidator } from '#web/router/router.tsx'
import type { LoaderArgs } from '#web/router/routes.ts'
import { atomFeed } from '#contract/feed-paths.ts'
import type { Giveaway } from '#contract/giveaways.ts'
import { FeedLink } from '#web/ui/feed-link.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { apiContext, useApi } from '#web/lib/api-context.ts'
import { useNow } from '#web/lib/clock.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useSession, useUser } from '#web/lib/session.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { GiveawayCard, hasEnded } from './giveaway-card.tsx'

const DESCRIPTION = 'Free to enter, one entry per member, and every draw is publicly verifiable.'
const FEED = atomFeed('giveaways')

export async function loader({ context, request }: LoaderArgs) {
  const { data } = await context.get(apiContext)('GET /api/giveaways', { signal: request.signal })
  return data.giveaways
}

export function Component() {
  const { giveaways, replace, reload } = useGiveaways(useLoaderData<typeof loader>())
  const now = useEndings(giveaways, reload)
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-8">
      <PageHead title="Giveaways" description={DESCRIPTION} path="/giveaways" feed={FEED} />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h1 className="text-2xl font-semibold">Giveaways</h1>
        <FeedLink path={FEED} label="giveaways" />
      </div>
      <p className="text-muted">{DESCRIPTION}</p>
      <StatCards giveaways={giveaways} now={now} />
      <h2 className="sr-only">All giveaways</h2>
      {giveaways.length > 0 ? (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4">
          {giveaways.map((giveaway) => (
            <li key={giveaway.id} className="min-w-0">
              <GiveawayCard giveaway={giveaway} now={now} onEntered={replace} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={Gift} title="No giveaways yet" text="No giveaways right now. Check back soon.">
          <LinkButton to="/">Browse scripts</LinkButton>
        </EmptyState>
      )}
      <JoinPrompt />
    </div>
  )
}

/**
 * The giveaways as the viewer sees them. The loader returns the public view; a member's own entries and prizes are
 * fetched as soon as the session is known.
 */
function useGiveaways(loaded: Giveaway[]) {
  const api = useApi()
  const { revalidate } = useRevalidator()
  const memberId = useUser()?.id
  const [own, setOwn] = useState<{ memberId: number; giveaways: Giveaway[] }>()
  const load = useCallback(
    (signal?: AbortSignal) => {
      if (memberId === undefined) return
      api('GET /api/giveaways', signal && { signal }).then(
        ({ data }) => setOwn({ memberId, giveaways: data.giveaways }),
        // The public view stays. If something is wrong, entering a giveaway reports it.
        () => undefined,
      )
    },
    [api, memberId],
  )
  useEffect(() => {
    const request = new AbortController()
    load(request.signal)
    return () => request.abort()
  }, [load])
  const isOwn = own !== undefined && own.memberId === memberId
  const giveaways = isOwn ? own.giveaways : loaded
  const replace = (changed: Giveaway) => {
    if (memberId === undefined) return
    setOwn({ memberId, giveaways: giveaways.map((giveaway) => (giveaway.id === changed.id ? changed : giveaway)) })
  }
  const reload = () => {
    load()
    void revalidate()
  }
  return { giveaways, replace, reload }
}

const MAX_TIMEOUT_MS = 2_147_483_647

/** The time in milliseconds, also updated when a giveaway ends. Then `onEnd` is called. */
function useEndings(giveaways: readonly Giveaway[], onEnd: () => void): number {
  const ticked = useNow()
  const [endedAt, setEndedAt] = useState(0)
  const now = Math.max(ticked, endedAt)
  const next = Math.min(
    ...giveaways.filter((giveaway) => !hasEnded(giveaway, now)).map((each) => Date.parse(each.end_date)),
  )
  const handleEnd = useEffectEvent(onEnd)
  useEffect(() => {
    const delay = Math.max(0, next - Date.now())
    if (delay > MAX_TIMEOUT_MS) return undefined
    const end = () => {
      setEndedAt(next)
      handleEnd()
    }
    const timer = setTimeout(end, delay)
    return () => clearTimeout(timer)
  }, [next])
  return now
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

function StatCards({ giveaways, now }: { giveaways: Giveaway[]; now: number }) {
  return (
    <ul className="grid grid-cols-3 gap-2 sm:gap-3">
      <Stat
        icon={Gift}
        label="Active Giveaways"
        value={giveaways.filter((giveaway) => !hasEnded(giveaway, now)).length}
      />
      <Stat icon={Ticket} label="Total Entries" value={sum(giveaways.map(({ entry_count }) => entry_count))} />
      <Stat icon={Trophy} label="Winners Selected" value={sum(giveaways.map(({ winners }) => winners.length))} />
    </ul>
  )
}

function Stat({ icon: Icon, label, value }: { icon: LucideIcon; label: string; value: number }) {
  return (
    <li className="flex items-start gap-3 rounded-md border border-line bg-surface-1 p-3 sm:items-center sm:p-4">
      <span className="grid size-10 shrink-0 place-items-center max-sm:hidden rounded-full bg-accent-soft text-accent">
        <Icon aria-hidden className="size-5" />
      </span>
      <p className="flex flex-col-reverse">
        <span className="text-muted max-sm:text-xs">{label}</span>
        <span className="text-xl font-semibold tabular-nums">{fullCount(value)}</span>
      </p>
    </li>
  )
}

/** Sign-in prompt. Last on the page to avoid a layout shift when it disappears for members. */
function JoinPrompt() {
  const session = useSession()
  if (session.status === 'member') return null
  return (
    <section className="flex flex-col items-center gap-3 rounded-lg border border-line bg-surface-1 px-4 py-8 text-center">
      <h2 className="text-lg font-semibold">Ready to Join?</h2>
      <p className="max-w-prose text-muted">Please log in to enter giveaways. It takes one click.</p>
      <Button
        variant="primary"
        className="noscript:hidden"
        disabled={session.status === 'loading'}
        onClick={() => void session.signIn()}
      >
        Login with Discord
      </Button>
    </section>
  )
}
