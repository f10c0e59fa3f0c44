import type { LucideIcon } from 'lucide-react'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Coins from 'lucide-react/icons/coins'
import Gamepad2 from 'lucide-react/icons/gamepad-2'
import Gift from 'lucide-react/icons/gift'
import Globe from 'lucide-react/icons/globe'
import KeyRound from 'lucide-react/icons/key-round'
import Monitor from 'lucide-react/icons/monitor'
import Server from 'lucide-react/icons/server'
import Sparkles from 'lucide-react/icons/sparkles'
import Star from 'lucide-react/icons/star'
import type { Card } from '#contract/catalogue.ts'

export interface Badge {
  label: string
  icon: LucideIcon
}

type Flags = Pick<
  Card,
  'is_featured' | 'is_verified' | 'is_showcased' | 'has_key_system' | 'is_free' | 'is_universal' | 'is_client_side'
>

/** Distinctions that staff gave a script. Most scripts have none. */
export function honorsOf({ is_featured, is_verified, is_showcased }: Flags): Badge[] {
  const all: [applies: boolean, badge: Badge][] = [
    [is_featured, { label: 'Featured', icon: Star }],
    [is_verified, { label: 'Verified', icon: BadgeCheck }],
    [is_showcased, { label: 'Showcased', icon: Sparkles }],
  ]
  return all.filter(([applies]) => applies).map(([, badge]) => badge)
}

/** What the author says about the script: one badge of each pair. */
export function propertiesOf({ has_key_system, is_free, is_universal, is_client_side }: Flags): Badge[] {
  return [
    ...(has_key_system ? [{ label: 'Key system', icon: KeyRound }] : []),
    is_free ? { label: 'Free', icon: Gift } : { label: 'Paid', icon: Coins },
    is_universal ? { label: 'Universal', icon: Globe } : { label: 'Game-specific', icon: Gamepad2 },
    is_client_side ? { label: 'Client-side', icon: Monitor } : { label: 'FE', icon: Server },
  ]
}
