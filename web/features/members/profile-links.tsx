import Globe from 'lucide-react/icons/globe'
import Mail from 'lucide-react/icons/mail'
import MapPin from 'lucide-react/icons/map-pin'
import type { ReactNode } from 'react'
import { SOCIAL_SITES } from '#contract/limits.ts'
import type { Profile } from '#contract/members.ts'
import { parseWebUrl } from '#web/components/find-links.ts'
import { linkRel } from '#web/components/linked-text.tsx'
import { HiddenBadge } from './hidden-badge.tsx'
import { SOCIAL_LABELS, SocialIcon } from './social-icons.tsx'
import { shortUrl } from './short-url.ts'

/** Where a member is and where else to find them. Nothing where there is nothing to say. */
export function ProfileLinks({ profile }: { profile: Profile }) {
  const { location, website, email, social_links, privacy_settings: privacy } = profile
  const socials = SOCIAL_SITES.filter((site) => social_links[site])
  if (!location && !website && !email && socials.length === 0) return null
  return (
    <ul aria-label="Contact" className="flex flex-wrap gap-x-5 gap-y-1 text-muted">
      {location && (
        <Entry icon={<MapPin aria-hidden className="size-4 shrink-0" />} isHidden={!privacy.show_location}>
          <span className="sr-only">Location: </span>
          <bdi className="wrap-anywhere">{location}</bdi>
        </Entry>
      )}
      {website && (
        <Entry icon={<Globe aria-hidden className="size-4 shrink-0" />} isHidden={!privacy.show_website}>
          <OutLink address={website} label="Website" />
        </Entry>
      )}
      {email && (
        <Entry icon={<Mail aria-hidden className="size-4 shrink-0" />} isHidden={!privacy.show_email}>
          <a href={`mailto:${encodeURIComponent(email)}`} className={linkClass}>
            {email}
          </a>
        </Entry>
      )}
      {socials.map((site) => (
        <Entry key={site} icon={<SocialIcon site={site} />} isHidden={!privacy.show_social_links}>
          <OutLink address={social_links[site] ?? ''} label={SOCIAL_LABELS[site]} />
        </Entry>
      ))}
    </ul>
  )
}

const linkClass =
  'inline-flex min-h-11 items-center rounded-sm wrap-anywhere hover:text-accent hover:underline sm:min-h-8'

function Entry({ icon, isHidden, children }: { icon: ReactNode; isHidden: boolean; children: ReactNode }) {
  return (
    <li className="inline-flex min-h-11 max-w-full min-w-0 items-center gap-1.5 sm:min-h-8">
      {icon}
      {children}
      {isHidden && <HiddenBadge />}
    </li>
  )
}

/** A web address as a link that leads out; a name, as Discord has them, stays text. */
function OutLink({ address, label }: { address: string; label: string }) {
  const href = parseWebUrl(address)
  if (href === null) {
    return (
      <span>
        <span className="sr-only">{label}: </span>
        <bdi className="wrap-anywhere">{address}</bdi>
      </span>
    )
  }
  return (
    <a href={href} target="_blank" rel={linkRel} className={linkClass}>
      <span className="sr-only">{label}: </span>
      <bdi>{shortUrl(href)}</bdi>
    </a>
  )
}
