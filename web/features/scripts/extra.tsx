import { Suspense } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useSession } from '#web/lib/session.tsx'
import type { ExtraPart } from '#web/features/scripts/extras/extras.tsx'
import type { ScriptDetails } from './load-script.ts'

interface Props {
  part: ExtraPart
  script: ScriptDetails['script']
  /** The viewer gave the author a point. */
  onReputation?: (reputation: number) => void
}

// Without it the page is all there to read.
const Extras = lazyComponent(async () => (await import('#web/features/scripts/extras/extras.tsx')).Extras)

/** A part that only makes sense in a living page. The session is known in the browser alone, so the server sends none. */
export function Extra(props: Props) {
  return (
    useSession().status !== 'loading' && (
      <Suspense>
        <Extras {...props} />
      </Suspense>
    )
  )
}
