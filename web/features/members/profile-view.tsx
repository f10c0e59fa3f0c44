import Lock from 'lucide-react/icons/lock'
import { PageHead } from '#web/components/page-head.tsx'
import { cutText } from '#web/lib/cut-text.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import type { FoundProfile } from './load-profile.ts'
import { profileUrl } from './profile-url.ts'
import { ProfileHeader } from './profile-header.tsx'
import { ProfileOverview } from './profile-overview.tsx'
import { ProfileSide } from './profile-side.tsx'
import { drawScriptsTab } from './scripts-tab.ts'
import { displayNameOf } from './display-name.ts'
import { useLiveReputation } from './use-live-reputation.ts'
import { useMembersView } from './use-members-view.ts'

const PREVIEW_LENGTH = 160

export function ProfileView({ found }: { found: FoundProfile }) {
  const { profile } = found
  const { isOwner } = useMembersView(found)
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 pt-4 pb-16">
      <ProfileHead found={found} />
      <ProfileHeader profile={profile} isOwner={isOwner} />
      {profile.is_hidden ? (
        <section>
          <h2 className="sr-only">About this member</h2>
          <EmptyState
            icon={Lock}
            title="This profile is private"
            text={`${displayNameOf(profile)} shows name and picture only.`}
          />
        </section>
      ) : (
        <Tabs found={found} isOwner={isOwner} />
      )}
    </div>
  )
}

function Tabs({ found, isOwner }: { found: FoundProfile; isOwner: boolean }) {
  const { location } = found
  const { profile, setReputation } = useLiveReputation(found.profile)
  const tabs = [
    { id: 'overview', label: 'Overview', to: profileUrl(profile.slug) },
    { id: 'scripts', label: 'Scripts', to: profileUrl(profile.slug, { tab: 'scripts', page: 1 }) },
  ]
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="flex min-w-0 flex-col gap-5">
        <LinkTabs label="Profile" tabs={tabs} current={location.tab}>
          {location.tab === 'scripts' ? drawScriptsTab({ found, isOwner }) : <ProfileOverview profile={profile} />}
        </LinkTabs>
      </div>
      <ProfileSide profile={profile} onReputation={setReputation} />
    </div>
  )
}

function ProfileHead({ found: { profile, location } }: { found: FoundProfile }) {
  const { site } = useRootData()
  const name = displayNameOf(profile)
  const about = profile.bio?.replaceAll(/\s+/g, ' ').trim() || `${name} is a member of ${site.name}.`
  const image = profile.profile_image || profile.avatar_url
  return (
    <PageHead
      title={location.tab === 'scripts' ? `Scripts by ${name}` : `${name} (@${profile.username})`}
      description={cutText(about, PREVIEW_LENGTH).head}
      path={profileUrl(profile.slug, location)}
      isListed={!profile.is_hidden}
      {...(image ? { image } : {})}
    />
  )
}
