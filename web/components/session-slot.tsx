import { type ReactNode, Suspense } from 'react'
import { useSession } from '#web/lib/session.tsx'

/** Parts that depend on the session, from when it is known. The page around them does not render again then. */
export function SessionSlot({ children }: { children: ReactNode }) {
  return useSession().status === 'loading' ? null : <Suspense>{children}</Suspense>
}
