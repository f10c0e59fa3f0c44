import { Suspense } from 'react'
import { lazyPart } from '../../lib/lazy-part.ts'
import { useSession } from '../../lib/session.tsx'
import type { ExtraPart } from './extras/extras.tsx'
import type { ScriptDetails } from './load-script.ts'

interface Props {
  part: ExtraPart
  script: ScriptDetails['script']
  /** The viewer gave the author a point. */
  onReputation?: (reputation: number) => void
}

// Without it the page is all there to read.
const Extras = lazyPart(async () => (await import('./extras/extras.tsx')).Extras)

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
