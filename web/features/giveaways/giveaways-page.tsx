import Gift from 'lucide-react/icons/gift'
import { useLoaderData } from 'react-router'
import { PageHead } from '#web/components/page-head.tsx'
import { useSession } from '#web/lib/session.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { GiveawayCard } from './giveaway-card.tsx'
import type { loadGiveaways } from './load-giveaways.ts'
import { StatCards } from './stat-cards.tsx'
import { useGiveaways } from './use-giveaways.ts'

const DESCRIPTION = 'Free to enter, one entry a member, and every draw can be checked by anybody.'

export { loadGiveaways as loader } from './load-giveaways.ts'

export function Component() {
  const { giveaways, replace } = useGiveaways(useLoaderData<typeof loadGiveaways>())
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-8">
      <PageHead title="Giveaways" description={DESCRIPTION} path="/giveaways" />
      <h1 className="text-2xl font-semibold">Giveaways</h1>
      <p className="text-muted">{DESCRIPTION}</p>
      <StatCards giveaways={giveaways} />
      <h2 className="sr-only">All giveaways</h2>
      {giveaways.length > 0 ? (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4">
          {giveaways.map((giveaway) => (
            <li key={giveaway.id} className="min-w-0">
              <GiveawayCard giveaway={giveaway} onEntered={replace} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={Gift}
          title="No giveaways yet"
          text="Nothing is being given away right now. Look in again soon."
        >
          <LinkButton to="/">Browse scripts</LinkButton>
        </EmptyState>
      )}
      <JoinPrompt />
    </div>
  )
}

/** At the end of the page, where it may go for members without moving anything. */
function JoinPrompt() {
  const session = useSession()
  if (session.status === 'member') return null
  return (
    <section className="flex flex-col items-center gap-3 rounded-lg border border-line bg-surface-1 px-4 py-8 text-center">
      <h2 className="text-lg font-semibold">Ready to Join?</h2>
      <p className="max-w-prose text-muted">
        Please log in to enter giveaways. It takes a Discord account and one click.
      </p>
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
