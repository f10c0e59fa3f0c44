import type { LucideIcon } from 'lucide-react'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Sparkles from 'lucide-react/icons/sparkles'
import Star from 'lucide-react/icons/star'
import type { Card } from '#contract/catalogue.ts'

export interface Badge {
  label: string
  icon: LucideIcon
}

type Flags = Pick<
  Card,
  | 'is_featured'
  | 'is_verified'
  | 'is_showcased'
  | 'is_working'
  | 'has_key_system'
  | 'is_free'
  | 'is_universal'
  | 'is_client_side'
>

/** Cards show it as a tick behind the author's name. */
export const VERIFIED: Badge = { label: 'Verified', icon: BadgeCheck }

/** Distinctions that staff gave a script. Most scripts have none. */
export function honorsOf({ is_featured, is_verified, is_showcased }: Flags): Badge[] {
  return [
    ...(is_featured ? [{ label: 'Featured', icon: Star }] : []),
    ...(is_verified ? [VERIFIED] : []),
    ...(is_showcased ? [{ label: 'Showcased', icon: Sparkles }] : []),
  ]
}

/** What the author says about the script: one label of each pair. */
export function propertiesOf({ has_key_system, is_free, is_universal, is_client_side }: Flags): string[] {
  return [
    is_free ? 'Free' : 'Paid',
    is_universal ? 'Universal' : 'Game-specific',
    is_client_side ? 'Client-side' : 'FE',
    ...(has_key_system ? ['Key system'] : []),
  ]
}

/** What to know before copying the script. Most scripts have none. */
export function warningsOf({ is_working, has_key_system, is_free }: Flags): string[] {
  return [
    ...(is_working ? [] : ['Not working']),
    ...(has_key_system ? ['Key required'] : []),
    ...(is_free ? [] : ['Paid']),
  ]
}
