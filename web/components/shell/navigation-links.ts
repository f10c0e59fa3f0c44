import { Flame, Gift, LayoutGrid, type LucideIcon, Sparkles, Upload } from 'lucide-react'

export const navigationLinks: readonly { to: string; label: string; icon: LucideIcon }[] = [
  { to: '/', label: 'Scripts', icon: LayoutGrid },
  { to: '/popular', label: 'Popular', icon: Flame },
  { to: '/showcases', label: 'Showcases', icon: Sparkles },
  { to: '/giveaways', label: 'Giveaways', icon: Gift },
  { to: '/upload', label: 'Upload', icon: Upload },
]

/** The front page lists scripts, and so do the scripts' own pages belong to it. */
export function isCurrent(to: string, pathname: string): boolean {
  if (to === '/') return pathname === '/' || pathname.startsWith('/scripts')
  return pathname === to || pathname.startsWith(`${to}/`)
}
