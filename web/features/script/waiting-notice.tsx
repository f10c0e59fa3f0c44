import { SessionSlot } from '#web/shared/sign-in/session-slot.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { WaitingLine } from '#web/shared/waiting/waiting-line.tsx'
import { useLocation } from '#web/router/router.tsx'
import { useAfterHydration } from '#web/ui/use-after-hydration.ts'
import type { PageScript } from './script-details.ts'

const WaitingSlot = lazyComponent(async () => (await import('./member-slots.tsx')).WaitingSlot)

/** The version that waits: one line for everyone, and below it what its author and the staff can do. */
export function WaitingNotice({ script }: { script: PageScript }) {
  const { waiting } = script
  if (!waiting) return <NothingWaits />
  return (
    <section
      id="waiting"
      aria-label="The version that waits"
      className="flex scroll-mt-20 flex-col rounded-md border border-line bg-surface-1 px-4 py-3"
    >
      <WaitingLine waiting={waiting} />
      <SessionSlot>
        <WaitingSlot script={script} waiting={waiting} />
      </SessionSlot>
    </section>
  )
}

/** For the link of a notification or an email that somebody opens later. */
function NothingWaits() {
  const hash = useAfterHydration(useLocation().hash)
  if (hash !== '#waiting' && hash !== '#not-me') return null
  return (
    <p id="waiting" className="scroll-mt-20 rounded-md border border-line bg-surface-1 px-4 py-3 text-muted">
      No version waits any more.{' '}
      <a href="#versions" className="text-text underline hover:text-accent">
        See what happened to each version
      </a>
    </p>
  )
}
