import { useNavigation } from 'react-router'

/** A thin line while a page is on its way; quick pages never show it. */
export function Progress() {
  if (useNavigation().state !== 'loading') return null
  return <div aria-hidden className="animate-progress fixed inset-x-0 top-0 z-50 h-0.5 origin-left bg-accent" />
}
