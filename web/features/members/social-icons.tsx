import Link2 from 'lucide-react/icons/link-2'
import type { SOCIAL_SITES } from '#contract/limits.ts'

export type SocialSite = (typeof SOCIAL_SITES)[number]

export const SOCIAL_LABELS: Record<SocialSite, string> = {
  youtube: 'YouTube',
  github: 'GitHub',
  x: 'X',
  instagram: 'Instagram',
  twitch: 'Twitch',
  roblox: 'Roblox',
  discord: 'Discord',
  other: 'Another site',
}

/** A separate file, because many profiles need none of its logos. */
const LOGOS = '/social-sites.svg'

export function SocialIcon({ site }: { site: SocialSite }) {
  if (site === 'other') return <Link2 aria-hidden className="size-4 shrink-0" />
  return (
    <svg aria-hidden className="size-4 shrink-0 fill-current">
      <use href={`${LOGOS}#${site}`} />
    </svg>
  )
}
