import { type ReactNode, Suspense } from 'react'
import { useSessionValue } from '#web/lib/session.tsx'

/** Parts that depend on the session, from when it is known. The page around them does not render again then. */
export function SessionSlot({ children }: { children: ReactNode }) {
  const isKnown = useSessionValue(({ status }) => status !== 'loading')
  return isKnown ? <Suspense>{children}</Suspense> : null
}
