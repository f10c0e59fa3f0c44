import { type ComponentType, lazy, Suspense } from 'react'
import { useSession } from '../../lib/session.tsx'
import type { ExtraPart } from './extras/extras.tsx'
import type { ScriptDetails } from './load-script.ts'

interface Props {
  part: ExtraPart
  script: ScriptDetails['script']
}

// Without it the page is all there to read.
const Extras = lazy<ComponentType<Props>>(() =>
  import('./extras/extras.tsx').then(
    ({ Extras: Loaded }) => ({ default: Loaded }),
    () => ({ default: () => null }),
  ),
)

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
