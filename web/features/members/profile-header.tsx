import Lock from 'lucide-react/icons/lock'
import Pencil from 'lucide-react/icons/pencil'
import ShieldCheck from 'lucide-react/icons/shield-check'
import type { Profile } from '#contract/members.ts'
import { findLinks } from '#web/components/find-links.ts'
import { LinkedText } from '#web/components/linked-text.tsx'
import { MemberAvatar } from '#web/components/member-avatar.tsx'
import { ReportSlot } from '#web/components/report/report-slot.tsx'
import { coverArt, DrawnCover } from '#web/components/script-cover.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { CustomBadge } from './custom-badge.tsx'
import { ProfileLinks } from './profile-links.tsx'
import { displayNameOf } from './display-name.ts'

/** Who this is. The owner's button has its place beside the picture, so that nothing moves when it comes. */
export function ProfileHeader({ profile, isOwner }: { profile: Profile; isOwner: boolean }) {
  const { username, title, bio } = profile
  const name = displayNameOf(profile)
  return (
    <header className="overflow-hidden rounded-md border border-line bg-surface-1">
      <div className="aspect-[3/1] max-h-52 w-full overflow-hidden border-b border-line bg-surface-2 sm:aspect-[6/1]">
        <Banner profile={profile} />
      </div>
      <div className="flex flex-col gap-4 p-4 sm:px-6 sm:pb-6">
        <div className="-mt-14 flex items-end justify-between gap-4 sm:-mt-18">
          <span className="relative inline-flex rounded-full bg-surface-1 p-1">
            <MemberAvatar member={{ ...profile, author_avatar: profile.avatar_url }} name={name} size="huge" />
          </span>
          <div className="flex min-h-11 flex-wrap justify-end gap-2 sm:min-h-10">
            {isOwner && (
              <LinkButton to="/profile/settings">
                <Pencil aria-hidden className="size-4" />
                Edit Profile
              </LinkButton>
            )}
            <ReportSlot subject={{ type: 'profile', id: profile.user_id, title: name }} isOwn={isOwner} />
          </div>
        </div>
        <div className="flex min-w-0 flex-col gap-1">
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
          </p>
          <Badges profile={profile} />
        </div>
        {bio && (
          <p dir="auto" className="max-w-prose text-base wrap-anywhere whitespace-pre-wrap">
            <LinkedText parts={findLinks(bio)} />
          </p>
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

const badge = 'inline-flex min-h-6 items-center gap-1 rounded-sm px-2 text-xs font-medium'

function Badges({ profile }: { profile: Profile }) {
  const { is_admin, is_moderator, custom_badge, badge_color, is_hidden, privacy_settings } = profile
  const isMarkedPrivate = !is_hidden && privacy_settings.profile_visibility === 'private'
  if (!is_admin && !is_moderator && !custom_badge && !isMarkedPrivate) return null
  return (
    <ul aria-label="Badges" className="mt-1.5 flex flex-wrap gap-2">
      {(is_admin || is_moderator) && (
        <li className={`${badge} bg-accent-soft text-accent`}>
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
        <li className={`${badge} bg-surface-2 text-muted`}>
          <Lock aria-hidden className="size-3.5" />
          Private profile: others see its name and picture only
        </li>
      )}
    </ul>
  )
}
