import CloudOff from 'lucide-react/icons/cloud-off'
import Lock from 'lucide-react/icons/lock'
import UserRoundX from 'lucide-react/icons/user-round-x'
import { Suspense, useEffect, useState } from 'react'
import { useLoaderData, useRevalidator } from '#web/router/router.tsx'
import { data, type LoaderArgs, redirect } from '#web/router/routes.ts'
import type { CurrentUser } from '#contract/accounts.ts'
import type { Profile } from '#contract/members.ts'
import { shownStats } from '#contract/profile-stats.ts'
import { MessagePage } from '#web/ui/message-page.tsx'
import { MissingForVisitors } from '#web/shared/missing-for-visitors.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { SessionSlot } from '#web/shared/sign-in/session-slot.tsx'
import type { Formatted } from '#web/shared/markdown/render-markdown.ts'
import { apiContext } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { useSessionValue, useUser } from '#web/lib/session.tsx'
import { readToken } from '#web/lib/token.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import type { FoundProfile } from './found-profile.ts'
import { ProfileHeader } from './profile-header.tsx'
import { ProfileOverview, ProfileSide } from './profile-overview.tsx'
import type { ProfileScripts } from './profile-scripts.tsx'
import { ProfileBodySkeleton, ProfileSkeleton } from './profile-skeleton.tsx'
import { displayNameOf, feedOf, type ProfileLocation, profileUrl, readProfileLocation } from './profile-url.ts'

const ProfileCollections = lazyComponent(async () => (await import('./profile-collections.tsx')).ProfileCollections)

const SCRIPTS_PER_PAGE = 50
/** Fills two rows of three. */
const TOP_SCRIPTS = 6
/** The API's limit. No member has a longer name. */
const MAX_NAME_LENGTH = 100

type ProfileData = FoundProfile | { state: 'missing' } | { state: 'failed' }

/** Finds a member by slug, username or id. Redirects to the slug. */
export async function loader({ context, params, request }: LoaderArgs) {
  const name = params['slug'] ?? ''
  if (name === '' || name.length > MAX_NAME_LENGTH) return respond({ state: 'missing' }, 404)
  const api = context.get(apiContext)
  const { signal } = request
  const response = await api('GET /api/user-profiles', { query: { user_id: name }, signal }).catch(apiErrorOf)
  if (response instanceof ApiError) {
    // 400: no member can have such a name.
    const isMissing = response.status === 404 || response.status === 400
    return isMissing ? respond({ state: 'missing' }, 404) : respond({ state: 'failed' }, Math.max(response.status, 500))
  }
  const { profile } = response
  const location = readProfileLocation(new URL(request.url).searchParams)
  if (profile.slug !== name) return redirect(profileUrl(profile.slug, location))
  const [scripts] = profile.is_hidden
    ? [null]
    : await Promise.all([loadScripts(api, profile, location, signal), loadProfileScripts()])
  const isVisitor = import.meta.env.SSR || readToken() === null
  return respond(
    {
      state: 'found',
      profile,
      bio: await formatBio(profile),
      location,
      scripts,
      loadedFor: isVisitor ? 'visitor' : 'member',
    },
    200,
  )
}

async function formatBio({ bio }: Profile): Promise<Formatted | null> {
  if (!bio?.trim()) return null
  return (await import('#web/shared/markdown/render-markdown.ts')).formatMarkdown(bio)
}

const respond = (result: ProfileData, status: number) => data<ProfileData>(result, { status })

/** Rethrows everything but API errors. */
function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

function loadScripts(api: Api, { user_id }: Profile, { tab, page }: ProfileLocation, signal: AbortSignal) {
  const query =
    tab === 'overview'
      ? { author: user_id, limit: TOP_SCRIPTS, sort: 'download_count' as const }
      : { author: user_id, limit: SCRIPTS_PER_PAGE, page }
  return api('GET /api/scripts', { query, signal }).catch((error: unknown) => {
    apiErrorOf(error)
    return null
  })
}

let LoadedScripts: typeof ProfileScripts | undefined

const importScripts = async () => (await import('./profile-scripts.tsx')).ProfileScripts

/** Loads the code of the scripts before they are rendered, so that they need no fallback. */
async function loadProfileScripts(): Promise<void> {
  LoadedScripts ??= await importScripts()
}

/** For a server-rendered page, which hydrates without running its loader: its scripts stay as they are until their code is loaded. */
const LazyScripts = lazyComponent(importScripts)

export function Component() {
  const loaded = useLoaderData<ProfileData>()
  if (loaded.state === 'missing') return <UserNotFound />
  if (loaded.state === 'failed') return <LoadError />
  return <ProfileView key={loaded.profile.user_id} loaded={loaded} />
}

function ProfileView({ loaded }: { loaded: FoundProfile }) {
  const { profile } = loaded
  const { isOwner, isIncomplete } = useViewerRevalidation(loaded)
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 pt-4 pb-16">
      <ProfileHead loaded={loaded} />
      <ProfileHeader profile={profile} bio={loaded.bio?.nodes} isOwner={isOwner} />
      {profile.is_hidden ? (
        <PrivateProfile name={displayNameOf(profile)} isIncomplete={isIncomplete} />
      ) : (
        <Tabs loaded={loaded} isOwner={isOwner} />
      )}
    </div>
  )
}

/** Says that a profile is private. A member who may be its owner first sees a skeleton. */
function PrivateProfile({ name, isIncomplete }: { name: string; isIncomplete: boolean }) {
  const isUnknown = useSessionValue(({ status }) => status === 'loading')
  if (isIncomplete) return <ProfileBodySkeleton />
  return (
    <>
      <section className={isUnknown ? 'member:hidden' : undefined}>
        <h2 className="sr-only">About this member</h2>
        <EmptyState icon={Lock} title="This profile is private" text={`${name} shares only a name and avatar.`} />
      </section>
      {isUnknown && (
        <div className="hidden member:block">
          <ProfileBodySkeleton />
        </div>
      )}
    </>
  )
}

function Tabs({ loaded, isOwner }: { loaded: FoundProfile; isOwner: boolean }) {
  const { location } = loaded
  const { profile, setReputation } = useLiveReputation(loaded.profile)
  // Decided once, because a change would remount the scripts.
  const [isLazy] = useState(() => LoadedScripts === undefined)
  const tabs = [
    { id: 'overview', label: 'Overview', to: profileUrl(profile.slug) },
    { id: 'scripts', label: 'Scripts', to: profileUrl(profile.slug, { tab: 'scripts', page: 1 }) },
  ]
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="flex min-w-0 flex-col gap-5">
        <LinkTabs label="Profile" tabs={tabs} current={location.tab}>
          <div className="flex flex-col gap-6">
            {location.tab === 'overview' && <ProfileOverview profile={profile} />}
            <Suspense>
              {isLazy ? (
                <LazyScripts loaded={loaded} isOwner={isOwner} />
              ) : (
                LoadedScripts && <LoadedScripts loaded={loaded} isOwner={isOwner} />
              )}
            </Suspense>
            {location.tab === 'overview' && (
              <SessionSlot>
                <ProfileCollections memberId={profile.user_id} />
              </SessionSlot>
            )}
          </div>
        </LinkTabs>
      </div>
      <ProfileSide profile={profile} onReputation={setReputation} />
    </div>
  )
}

function ProfileHead({ loaded: { profile, bio, location } }: { loaded: FoundProfile }) {
  const { site } = useRootData()
  const name = displayNameOf(profile)
  const about = bio?.description || `${name} is a member of ${site.name}.`
  const image = profile.profile_image || profile.avatar_url
  return (
    <PageHead
      title={location.tab === 'scripts' ? `Scripts by ${name}` : `${name} (@${profile.username})`}
      description={about}
      path={profileUrl(profile.slug, location)}
      isListed={!profile.is_hidden}
      {...(profile.is_hidden ? {} : { feed: feedOf(profile) })}
      {...(image ? { image } : {})}
    />
  )
}

/** Whether this member sees more of a profile than visitors do. */
const isPrivileged = (user: CurrentUser, userId: number) => user.id === userId || user.is_admin

/**
 * Loads a profile again for its owner and for admins, who see more than visitors, and after signing out. `isIncomplete`:
 * whether the viewer will see more.
 */
function useViewerRevalidation({ profile, loadedFor }: FoundProfile): { isOwner: boolean; isIncomplete: boolean } {
  const user = useUser()
  const { revalidate } = useRevalidator()
  const needsMore = loadedFor === 'visitor' && user !== undefined && isPrivileged(user, profile.user_id)
  const needsLess = useSessionValue(({ status }) => loadedFor === 'member' && status === 'anonymous')
  useEffect(() => {
    if (needsMore || needsLess) void revalidate()
  }, [needsMore, needsLess, revalidate])
  return { isOwner: user?.id === profile.user_id, isIncomplete: needsMore }
}

/** The profile, with the reputation that the viewer just changed until the profile is loaded again. */
function useLiveReputation(loaded: Profile) {
  const [override, setOverride] = useState<{ profile: Profile; reputation: number }>()
  const setReputation = (reputation: number) => setOverride({ profile: loaded, reputation })
  const stats = shownStats(loaded)
  if (!stats || override?.profile !== loaded) return { profile: loaded, setReputation }
  return { profile: { ...loaded, script_stats: { ...stats, reputation: override.reputation } }, setReputation }
}

function UserNotFound() {
  return (
    <MissingForVisitors
      icon={UserRoundX}
      title="User Not Found"
      text="This member doesn't exist or was deleted."
      path="/"
      skeleton={<ProfileSkeleton />}
    >
      <LinkButton to="/" variant="primary">
        Go Back Home
      </LinkButton>
    </MissingForVisitors>
  )
}

function LoadError() {
  const { revalidate, state } = useRevalidator()
  const title = 'Failed to load user profile'
  const text = 'Try again in a moment.'
  return (
    <MessagePage icon={CloudOff} title={title} text={text}>
      <PageHead title={title} description={text} path="/" isListed={false} />
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" disabled={state === 'loading'} onClick={() => void revalidate()}>
          Try again
        </Button>
        <LinkButton to="/">Go Back Home</LinkButton>
      </div>
    </MessagePage>
  )
}
