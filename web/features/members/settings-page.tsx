import { CloudOff } from 'lucide-react'
import type { CurrentUser } from '#contract/accounts.ts'
import { MembersOnly } from '../../components/members-only.tsx'
import { MessagePage } from '../../components/message-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Button } from '../../ui/button.tsx'
import { SettingsSkeleton } from './settings-skeleton.tsx'
import { SettingsView } from './settings-view.tsx'
import { useOwnProfile } from './use-own-profile.ts'

const description = 'What you tell about yourself, and who sees it.'

export function Component() {
  return (
    <>
      <PageHead title="Profile settings" description={description} path="/profile/settings" isListed={false} />
      <MembersOnly skeleton={<SettingsSkeleton />}>{(user) => <Settings key={user.id} user={user} />}</MembersOnly>
    </>
  )
}

function Settings({ user }: { user: CurrentUser }) {
  const own = useOwnProfile(user.id)
  if (own.state === 'loading') return <SettingsSkeleton />
  if (own.state === 'loaded') return <SettingsView loaded={own.profile} />
  return (
    <MessagePage icon={CloudOff} title="Failed to load profile data" text="Try again in a moment.">
      <Button variant="primary" onClick={own.load}>
        Try again
      </Button>
    </MessagePage>
  )
}
