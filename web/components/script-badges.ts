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

export interface Badge {
  label: string
  icon: LucideIcon
}

type Flags = Pick<
  Card,
  'is_featured' | 'is_verified' | 'is_showcased' | 'has_key_system' | 'is_free' | 'is_universal' | 'is_client_side'
>

/** What the site says of a script: few have any. */
export function honorsOf({ is_featured, is_verified, is_showcased }: Flags): Badge[] {
  const all: [boolean, Badge][] = [
    [is_featured, { label: 'Featured', icon: Star }],
    [is_verified, { label: 'Verified', icon: BadgeCheck }],
    [is_showcased, { label: 'Showcased', icon: Sparkles }],
  ]
  return all.filter(([is]) => is).map(([, badge]) => badge)
}

/** What kind of script it is: every script has one of each pair. */
export function propertiesOf({ has_key_system, is_free, is_universal, is_client_side }: Flags): Badge[] {
  return [
    ...(has_key_system ? [{ label: 'Key system', icon: KeyRound }] : []),
    is_free ? { label: 'Free', icon: Gift } : { label: 'Paid', icon: Coins },
    is_universal ? { label: 'Universal', icon: Globe } : { label: 'Game-specific', icon: Gamepad2 },
    is_client_side ? { label: 'Client-side', icon: Monitor } : { label: 'FE', icon: Server },
  ]
}
