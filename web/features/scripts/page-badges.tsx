import {
  BadgeCheck,
  Coins,
  Gamepad2,
  Gift,
  Globe,
  KeyRound,
  type LucideIcon,
  Monitor,
  Server,
  Sparkles,
  Star,
} from 'lucide-react'
import type { Card } from '#contract/catalogue.ts'

interface Badge {
  icon: LucideIcon
  label: string
  /** What the site says of a script stands out from what its author says. */
  isDistinction: boolean
}

/** Everything a card tells by an icon, here in words. */
function badgesOf(script: Card): Badge[] {
  const distinction = (icon: LucideIcon, label: string) => ({ icon, label, isDistinction: true })
  const property = (icon: LucideIcon, label: string) => ({ icon, label, isDistinction: false })
  return [
    ...(script.is_featured ? [distinction(Star, 'Featured')] : []),
    ...(script.is_verified ? [distinction(BadgeCheck, 'Verified')] : []),
    ...(script.is_showcased ? [distinction(Sparkles, 'Showcased')] : []),
    script.is_free ? property(Gift, 'Free') : property(Coins, 'Paid'),
    ...(script.has_key_system ? [property(KeyRound, 'Key system')] : []),
    script.is_universal ? property(Globe, 'Universal') : property(Gamepad2, 'Game-specific'),
    script.is_client_side ? property(Monitor, 'Client-side') : property(Server, 'FE'),
  ]
}

export function PageBadges({ script }: { script: Card }) {
  return (
    <ul aria-label="Badges" className="flex flex-wrap gap-2">
      {badgesOf(script).map(({ icon: Icon, label, isDistinction }) => (
        <li
          key={label}
          className={`inline-flex min-h-6 items-center gap-1.5 rounded-sm px-2 text-xs font-medium ${isDistinction ? 'bg-accent-soft text-accent' : 'bg-surface-2 text-muted'}`}
        >
          <Icon aria-hidden className="size-3.5" />
          {label}
        </li>
      ))}
    </ul>
  )
}
