import CloudOff from 'lucide-react/icons/cloud-off'
import { useState } from 'react'
import { MembersOnly } from '#web/components/members-only.tsx'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { SettingsSkeleton } from './settings-skeleton.tsx'
import { SettingsView } from './settings-view.tsx'
import { useOwnProfile } from './use-own-profile.ts'

const description = 'What you tell about yourself, and who sees it.'

export function Component() {
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt(attempt + 1)
  return (
    <>
      <PageHead title="Profile settings" description={description} path="/profile/settings" isListed={false} />
      <MembersOnly skeleton={<SettingsSkeleton />}>
        {({ id }) => <Settings key={`${id} ${attempt}`} userId={id} onRetry={retry} />}
      </MembersOnly>
    </>
  )
}

function Settings({ userId, onRetry }: { userId: number; onRetry: () => void }) {
  const own = useOwnProfile(userId)
  if (own === undefined) return <SettingsSkeleton />
  if (own) return <SettingsView loaded={own} />
  return (
    <MessagePage icon={CloudOff} title="Failed to load profile data" text="Try again in a moment.">
      <Button variant="primary" onClick={onRetry}>
        Try again
      </Button>
    </MessagePage>
  )
}
