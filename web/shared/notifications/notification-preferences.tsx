import { useEffect, useState } from 'react'
import { NOTIFICATION_KINDS, type NotificationKind } from '#contract/limits.ts'
import type { NotificationSettings } from '#contract/notifications.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'

const TEXTS: Record<NotificationKind, readonly [label: string, help: string]> = {
  reviews: ['Ratings and reviews', 'Someone rates or reviews one of your scripts.'],
  replies: ['Replies', 'Someone replies to your review or comment.'],
  comments: ['Comments', 'Someone comments on one of your scripts.'],
  mentions: ['Mentions', 'Someone mentions you in a comment.'],
  reputation: ['Reputation', 'Someone gives you reputation.'],
  giveaways: ['Giveaways', 'You win a giveaway.'],
  new_scripts: ['New scripts', 'An author you follow publishes a script.'],
  new_versions: ['New versions', 'A script you watch gets a new version.'],
  script_status: ['Your scripts', 'Your script is featured, verified, showcased or removed.'],
}

export function NotificationPreferences() {
  const [attempt, setAttempt] = useState(0)
  return (
    <FormSection
      title="Notifications"
      text="Choose which notifications you get. Changes save automatically; messages from staff always come through."
    >
      <Switches key={attempt} onRetry={() => setAttempt(attempt + 1)} />
    </FormSection>
  )
}

function Switches({ onRetry }: { onRetry: () => void }) {
  const { settings, change } = useSettings()
  if (settings === null) {
    return <LoadFailure text="Couldn't load your notification settings." onRetry={onRetry} />
  }
  return (
    <div className="flex flex-col gap-3" aria-busy={!settings}>
      {NOTIFICATION_KINDS.map((kind) =>
        settings ? (
          <Switch
            key={kind}
            label={TEXTS[kind][0]}
            help={TEXTS[kind][1]}
            isOn={settings[kind]}
            onChange={(isOn) => void change(kind, isOn)}
          />
        ) : (
          <Skeleton key={kind} className="h-12" />
        ),
      )}
    </div>
  )
}

/** The settings are undefined while loading and null if loading failed. */
function useSettings() {
  const api = useApi()
  const toast = useToast()
  const [settings, setSettings] = useState<NotificationSettings | null>()

  useEffect(() => {
    const request = new AbortController()
    api('GET /api/notification-settings', { signal: request.signal }).then(setSettings, () => {
      if (!request.signal.aborted) setSettings(null)
    })
    return () => request.abort()
  }, [api])

  const change = async (kind: NotificationKind, isOn: boolean) => {
    const set = (on: boolean) => setSettings((all) => all && { ...all, [kind]: on })
    set(isOn)
    try {
      await api('PUT /api/notification-settings', { body: { [kind]: isOn } })
    } catch (error) {
      set(!isOn)
      toast({ title: 'Failed to save notification settings', text: describeError(error), tone: 'error' })
    }
  }
  return { settings, change }
}
