import { type ReactNode, Suspense } from 'react'
import { useSessionValue } from '#web/lib/session.tsx'

interface Props {
  /** Shown until the session is known and the children are loaded. */
  fallback?: ReactNode
  children: ReactNode
}

/** Renders its children once the session is known. The page around them does not render again then. */
export function SessionSlot({ fallback = null, children }: Props) {
  const isKnown = useSessionValue(({ status }) => status !== 'loading')
  return isKnown ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
}
