import { type ReactNode, Suspense } from 'react'
import { useSessionValue } from '#web/lib/session.tsx'

/** Renders its children once the session is known. The page around them does not render again then. */
export function SessionSlot({ children }: { children: ReactNode }) {
  const isKnown = useSessionValue(({ status }) => status !== 'loading')
  return isKnown ? <Suspense>{children}</Suspense> : null
}
