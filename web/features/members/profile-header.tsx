import EyeOff from 'lucide-react/icons/eye-off'
import Globe from 'lucide-react/icons/globe'
import Lock from 'lucide-react/icons/lock'
import Mail from 'lucide-react/icons/mail'
import MapPin from 'lucide-react/icons/map-pin'
import Pencil from 'lucide-react/icons/pencil'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { SOCIAL_SITES } from '#contract/limits.ts'
import type { Profile } from '#contract/members.ts'
import { parseWebUrl } from '@scriptyard/markdown/find-links'
import { linkRel, type RichNode, RichText } from '#web/shared/markdown/rich-text.tsx'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { coverArt, DrawnCover } from '#web/shared/cards/script-cover.tsx'
import { SessionSlot } from '#web/shared/sign-in/session-slot.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useUser } from '#web/lib/session.tsx'
import { cutText } from '#web/lib/text.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { displayNameOf } from './profile-url.ts'
import { SOCIAL_LABELS, SocialIcon } from './social-icons.tsx'

const FollowButton = lazyComponent(async () => (await import('./follow-button.tsx')).FollowButton)
// Visitors cannot report, so they do not load this.
const MemberMenu = lazyComponent(async () => (await import('#web/shared/blocks/member-menu.tsx')).MemberMenu)

interface HeaderProps {
  profile: Profile
  /** Formatted; undefined if there is none. */
  bio: readonly RichNode[] | undefined
  isOwner: boolean
}

/** Banner, avatar, name and bio. Reserves space for the owner's button to avoid a layout shift when it appears. */
export function ProfileHeader({ profile, bio, isOwner }: HeaderProps) {
  const { username, title } = profile
  const name = displayNameOf(profile)
  const user = useUser()
  const [followers, setFollowers] = useState(profile.follower_count ?? 0)
  return (
    <header className="overflow-hidden rounded-md border border-line bg-surface-1">
      <div className="aspect-[4/1] max-h-28 w-full overflow-hidden border-b border-line bg-surface-2 sm:aspect-[6/1]">
        <Banner profile={profile} />
      </div>
      <div className="flex flex-col gap-3 p-4 sm:px-6">
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2 sm:flex-nowrap">
          <span className="relative -mt-14 inline-flex rounded-full bg-surface-1 p-1">
            <MemberAvatar member={{ ...profile, author_avatar: profile.avatar_url }} name={name} size="huge" />
          </span>
          <div className="flex min-w-0 flex-1 flex-col gap-0.5 max-sm:order-last max-sm:basis-full">
            <h1 dir="auto" className="text-2xl leading-tight font-semibold wrap-anywhere">
              <bdi>{name}</bdi>
            </h1>
            <p className="flex flex-wrap items-center gap-x-2 text-muted">
              <bdi className="wrap-anywhere">@{username}</bdi>
              {title && (
                <>
                  <span aria-hidden>·</span>
                  <bdi className="wrap-anywhere">{title}</bdi>
                </>
              )}
              {profile.follower_count !== null && (
                <>
                  <span aria-hidden>·</span>
                  <span className="tabular-nums">
                    {fullCount(followers)} {followers === 1 ? 'follower' : 'followers'}
                  </span>
                </>
              )}
            </p>
          </div>
          <div className="ml-auto flex min-h-11 shrink-0 flex-wrap justify-end gap-2 self-center sm:min-h-10">
            {isOwner && (
              <>
                <LinkButton to="/dashboard">Statistics</LinkButton>
                <LinkButton to="/profile/settings">
                  <Pencil aria-hidden className="size-4" />
                  Edit Profile
                </LinkButton>
              </>
            )}
            {!isOwner && !profile.is_hidden && (
              <SessionSlot>
                <FollowButton
                  memberId={profile.user_id}
                  name={name}
                  followerCount={followers}
                  onFollowerCount={setFollowers}
                />
              </SessionSlot>
            )}
            {user && (
              <Suspense>
                <MemberMenu
                  subject={{ type: 'profile', id: profile.user_id, title: name }}
                  isOwn={isOwner}
                  member={{ slug: profile.slug, name }}
                />
              </Suspense>
            )}
          </div>
        </div>
        <Badges profile={profile} />
        {bio && (
          <section>
            <h2 className="sr-only">Bio</h2>
            <RichText nodes={bio} className="max-w-prose text-base" />
          </section>
        )}
        <ProfileLinks profile={profile} />
      </div>
    </header>
  )
}

function Banner({ profile }: { profile: Profile }) {
  if (!profile.banner_image) return <DrawnCover art={{ ...coverArt(profile.username), letters: '' }} />
  return (
    <img
      src={profile.banner_image}
      alt=""
      width={1280}
      height={213}
      fetchPriority="high"
      decoding="async"
      className="size-full object-cover"
    />
  )
}

const badgeClass = 'inline-flex min-h-6 items-center gap-1 rounded-sm px-2 text-xs font-medium'

function Badges({ profile }: { profile: Profile }) {
  const { is_admin, is_moderator, custom_badge, badge_color, is_hidden, privacy_settings } = profile
  const isMarkedPrivate = !is_hidden && privacy_settings.profile_visibility === 'private'
  if (!is_admin && !is_moderator && !custom_badge && !isMarkedPrivate) return null
  return (
    <ul aria-label="Badges" className="flex flex-wrap gap-2">
      {(is_admin || is_moderator) && (
        <li className={`${badgeClass} bg-accent-soft text-accent`}>
          <ShieldCheck aria-hidden className="size-3.5" />
          {is_admin ? 'Admin' : 'Moderator'}
        </li>
      )}
      {custom_badge && (
        <li className="flex min-w-0">
          <CustomBadge text={custom_badge} color={badge_color} />
        </li>
      )}
      {isMarkedPrivate && (
        <li className={`${badgeClass} bg-surface-2 text-muted`}>
          <Lock aria-hidden className="size-3.5" />
          Private profile: others see only its name and avatar
        </li>
      )}
    </ul>
  )
}

const HEX = /^#[0-9a-f]{6}$/i

/** A badge given by admins. Its color is set after hydration, because the content security policy blocks style attributes. */
function CustomBadge({ text, color }: { text: string; color: string }) {
  const badge = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (!badge.current || !HEX.test(color)) return
    badge.current.style.backgroundColor = color
    badge.current.style.color = textOn(color)
  }, [color])
  return (
    <span
      ref={badge}
      className="inline-flex min-h-6 max-w-full items-center rounded-sm bg-surface-3 px-2 text-xs font-medium wrap-anywhere text-text"
    >
      <bdi>{text}</bdi>
    </span>
  )
}

/** Relative luminance of #rrggbb (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Black or white, whichever has more contrast with the color. It is always at least 4.5:1. */
export function textOn(hex: string): '#000000' | '#ffffff' {
  const light = luminance(hex)
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? '#000000' : '#ffffff'
}

/** Location, website, email and social links. */
function ProfileLinks({ profile }: { profile: Profile }) {
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
          <ExternalLink url={website} label="Website" />
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
          <ExternalLink url={social_links[site] ?? ''} label={SOCIAL_LABELS[site]} />
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

/** An external link. A value that is not a URL, such as a Discord username, is shown as text. */
function ExternalLink({ url, label }: { url: string; label: string }) {
  const href = parseWebUrl(url)
  if (href === null) {
    return (
      <span>
        <span className="sr-only">{label}: </span>
        <bdi className="wrap-anywhere">{url}</bdi>
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

const MAX_URL_TEXT = 40

/** A URL without scheme, www and trailing slash, at most 40 characters. */
export function shortUrl(href: string): string {
  const { host, pathname, search, hash } = new URL(href)
  const rest = `${pathname}${search}${hash}`
  const text = `${host.replace(/^www\./, '')}${rest === '/' ? '' : rest.replace(/\/$/, '')}`
  const { head, rest: hidden } = cutText(text, MAX_URL_TEXT)
  return hidden === '' ? text : `${cutText(head, MAX_URL_TEXT - 1).head}…`
}

/** Marks a detail that visitors cannot see. */
export function HiddenBadge() {
  return (
    <span
      title="Hidden from others"
      className="inline-flex h-5 shrink-0 items-center gap-1 rounded-sm bg-surface-2 px-1.5 text-xs text-muted"
    >
      <EyeOff aria-hidden className="size-3.5" />
      <span className="sr-only">Hidden from others</span>
    </span>
  )
}
