import type { LucideIcon } from 'lucide-react'
import Flame from 'lucide-react/icons/flame'
import Gift from 'lucide-react/icons/gift'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Sparkles from 'lucide-react/icons/sparkles'
import Upload from 'lucide-react/icons/upload'

export interface PageLink {
  to: string
  label: string
  icon: LucideIcon
}

export const navigationLinks: readonly PageLink[] = [
  { to: '/', label: 'Scripts', icon: LayoutGrid },
  { to: '/popular', label: 'Popular', icon: Flame },
  { to: '/showcases', label: 'Showcases', icon: Sparkles },
  { to: '/giveaways', label: 'Giveaways', icon: Gift },
  { to: '/upload', label: 'Upload', icon: Upload },
]
