import { useEffect, useState } from 'react'
import { NOTIFICATION_KINDS, type NotificationKind } from '#contract/limits.ts'
import type { NotificationSettings } from '#contract/notifications.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { FormSection } from '#web/ui/form-section.tsx'

const WORDS: Record<NotificationKind, readonly [label: string, help: string]> = {
  reviews: ['Ratings and reviews', 'Somebody rates or reviews one of your scripts.'],
  replies: ['Answers', 'An author answers a review that you wrote.'],
  reputation: ['Reputation', 'Somebody gives you a point.'],
  giveaways: ['Giveaways', 'You win one that you entered.'],
  script_status: ['Your scripts', 'One is featured, verified, showcased or removed.'],
}

/** Which kinds of event the member hears of. Each switch counts at once. */
export function NotificationPreferences() {
  const [attempt, setAttempt] = useState(0)
  return (
    <FormSection
      title="Notifications"
      text="What the bell tells you of. Each choice counts at once; what admins and moderators send always arrives."
    >
      <Choices key={attempt} onRetry={() => setAttempt(attempt + 1)} />
    </FormSection>
  )
}

function Choices({ onRetry }: { onRetry: () => void }) {
  const { settings, change } = useSettings()
  if (settings === null) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p>Your choices could not be loaded.</p>
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-3" aria-busy={!settings}>
      {NOTIFICATION_KINDS.map((kind) =>
        settings ? (
          <Switch
            key={kind}
            label={WORDS[kind][0]}
            help={WORDS[kind][1]}
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

/** Undefined while they are on their way, null when they did not come. */
function useSettings() {
  const api = useApi()
  const toast = useToast()
  const [settings, setSettings] = useState<NotificationSettings | null>()

  useEffect(() => {
    const stop = new AbortController()
    api('GET /api/notification-settings', { signal: stop.signal }).then(setSettings, () => {
      if (!stop.signal.aborted) setSettings(null)
    })
    return () => stop.abort()
  }, [api])

  const change = async (kind: NotificationKind, isOn: boolean) => {
    const turn = (on: boolean) => setSettings((all) => all && { ...all, [kind]: on })
    turn(isOn)
    try {
      await api('PUT /api/notification-settings', { body: { [kind]: isOn } })
    } catch (error) {
      turn(!isOn)
      toast({ title: 'Failed to save your choice', text: describeError(error), tone: 'error' })
    }
  }
  return { settings, change }
}
