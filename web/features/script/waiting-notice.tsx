import { SessionSlot } from '#web/shared/sign-in/session-slot.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { WaitingLine } from '#web/shared/waiting/waiting-line.tsx'
import type { PageScript } from './script-details.ts'

const WaitingSlot = lazyComponent(async () => (await import('./member-slots.tsx')).WaitingSlot)

/** The version that waits: one line for everyone, and below it what its author and the staff can do. */
export function WaitingNotice({ script }: { script: PageScript }) {
  const { waiting } = script
  if (!waiting) return null
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
