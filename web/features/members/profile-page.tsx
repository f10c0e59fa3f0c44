import { useLoaderData } from 'react-router'
import type { ProfileData } from './load-profile.ts'
import { readProfileLocation } from './profile-url.ts'
import { ProfileFailure } from './profile-failure.tsx'
import { ProfileView } from './profile-view.tsx'
import { loadScriptsTab } from './scripts-tab.ts'
import { useAdminsView } from './use-admins-view.ts'
import { UserNotFound } from './user-not-found.tsx'

export { loadProfile as loader } from './load-profile.ts'

// A page from the server comes to life without its loader, and at once.
if (!import.meta.env.SSR && readProfileLocation(new URLSearchParams(location.search)).tab === 'scripts')
  await loadScriptsTab()

export function Component() {
  const found = useLoaderData<ProfileData>()
  useAdminsView(found.state === 'missing')
  if (found.state === 'missing') return <UserNotFound />
  if (found.state === 'failed') return <ProfileFailure />
  return <ProfileView key={found.profile.user_id} found={found} />
}
