import ArrowLeft from 'lucide-react/icons/arrow-left'
import CloudOff from 'lucide-react/icons/cloud-off'
import { type ComponentType, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useQuery } from '#web/router/router.tsx'
import type { Profile } from '#contract/members.ts'
import { MembersOnly } from '#web/shared/sign-in/members-only.tsx'
import { MessagePage } from '#web/ui/message-page.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { SaveBar } from '#web/ui/form-bar.tsx'
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { uploadImage } from '#web/lib/files.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { BlockedList } from './blocked-list.tsx'
import { OwnData } from './own-data.tsx'
import { PrivacyFields } from './privacy-fields.tsx'
import { ImageFields, InfoFields, SocialFields } from './profile-fields.tsx'
import { profileUrl } from '#web/features/members/profile-url.ts'
import {
  changedFields,
  describeSaveError,
  formOf,
  inputOf,
  restoreRejected,
  mergeSaved,
  type SettingsFields,
} from './settings-form.ts'

const TAB_IDS = ['info', 'privacy', 'notifications', 'sessions', 'tokens', 'webhooks'] as const
type SettingsTab = (typeof TAB_IDS)[number]

const readSettingsTab = (query: URLSearchParams): SettingsTab =>
  TAB_IDS.find((tab) => tab === query.get('tab')) ?? 'info'

const settingsUrl = (tab: SettingsTab): string =>
  tab === 'info' ? '/profile/settings' : `/profile/settings?tab=${tab}`

const TABS = [
  { id: 'info', label: 'Profile Info', to: settingsUrl('info') },
  { id: 'privacy', label: 'Privacy', to: settingsUrl('privacy') },
  { id: 'notifications', label: 'Notifications', to: settingsUrl('notifications') },
  { id: 'sessions', label: 'Sessions', to: settingsUrl('sessions') },
  { id: 'tokens', label: 'API tokens', to: settingsUrl('tokens') },
  { id: 'webhooks', label: 'Webhooks', to: settingsUrl('webhooks') },
]

const NotificationPreferences = lazyComponent(
  async () => (await import('#web/shared/notifications/notification-preferences.tsx')).NotificationPreferences,
)

const SessionsPanel = lazyComponent(async () => (await import('./sessions-panel.tsx')).SessionsPanel)

const EmailPanel = lazyComponent(async () => (await import('./email-panel.tsx')).EmailPanel)

const TokensPanel = lazyComponent(async () => (await import('./tokens-panel.tsx')).TokensPanel)

const WebhooksPanel = lazyComponent(async () => (await import('./webhooks-panel.tsx')).WebhooksPanel)

/** Tabs without a form that is saved. */
const PANELS: Partial<Record<SettingsTab, ComponentType>> = {
  notifications: NotificationPreferences,
  sessions: SessionsPanel,
  tokens: TokensPanel,
  webhooks: WebhooksPanel,
}

const description = 'Your profile and privacy.'

export function Component() {
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt(attempt + 1)
  return (
    <>
      <PageHead title="Profile settings" description={description} path="/profile/settings" isListed={false} />
      <MembersOnly purpose="change your settings" skeleton={<SettingsSkeleton />}>
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

/** The member's own profile: undefined while loading, null if loading failed. */
function useOwnProfile(userId: number): Profile | null | undefined {
  const api = useApi()
  const [own, setOwn] = useState<Profile | null>()
  useEffect(() => {
    const request = new AbortController()
    const { signal } = request
    api('GET /api/user-profiles', { query: { user_id: String(userId) }, signal }).then(
      ({ profile }) => setOwn(profile),
      () => {
        if (!signal.aborted) setOwn(null)
      },
    )
    return () => request.abort()
  }, [api, userId])
  return own
}

function SettingsView({ loaded }: { loaded: Profile }) {
  const { site } = useRootData()
  const query = useQuery()
  const tab = readSettingsTab(query)
  const Panel = PANELS[tab]
  const element = useRef<HTMLFormElement>(null)
  const settings = useSettings(loaded, element)
  const { saved, failure, isDirty } = settings
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-5 px-4 pt-4 pb-16">
      <header className="flex flex-col gap-2">
        <Link
          to={profileUrl(saved.slug)}
          className="-mx-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded-sm px-2 text-sm text-muted hover:text-text sm:min-h-8"
        >
          <ArrowLeft aria-hidden className="size-4" />
          Your profile
        </Link>
        <h1 className="text-2xl font-semibold">Profile settings</h1>
      </header>
      <LinkTabs label="Settings" tabs={TABS} current={tab}>
        {Panel ? (
          <Suspense fallback={<Skeleton className="h-96" />}>
            <Panel />
            {tab === 'notifications' && site.has_email && (
              <div className="mt-5">
                <EmailPanel />
              </div>
            )}
          </Suspense>
        ) : (
          <form
            ref={element}
            noValidate
            aria-label="Profile settings"
            onSubmit={(event) => {
              event.preventDefault()
              void settings.save()
            }}
            className="flex flex-col gap-5"
          >
            {tab === 'info' ? (
              <>
                <ImageFields profile={saved} {...settings} />
                <InfoFields {...settings} />
                <SocialFields {...settings} />
              </>
            ) : (
              <PrivacyFields {...settings} />
            )}
            {failure && <FormAlert>{failure}</FormAlert>}
            <SaveBar isDirty={settings.isDirty} isBusy={settings.isBusy} discard={settings.discard} />
          </form>
        )}
        {tab === 'privacy' && (
          <>
            <div className="mt-5">
              <BlockedList />
            </div>
            <OwnData username={saved.username} />
          </>
        )}
      </LinkTabs>
      <UnsavedGuard isDirty={isDirty} text="Your changes to the profile will be lost." />
    </div>
  )
}

function useSettings(loaded: Profile, element: RefObject<HTMLFormElement | null>) {
  const api = useApi()
  const toast = useToast()
  const navigate = useNavigate()
  const { refresh } = useSession()
  const [saved, setSaved] = useState(loaded)
  const [form, setForm] = useState(() => formOf(loaded))
  const [errors, setErrors] = useState<SettingsFields['errors']>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [invalidFields, setInvalidFields] = useState<readonly string[]>([])

  // An effect, because the tab with the invalid fields has to be rendered first.
  useEffect(() => {
    if (element.current && invalidFields.length > 0) focusFirstError(element.current, invalidFields)
  }, [element, invalidFields])

  const change: SettingsFields['change'] = (part) => {
    setForm((current) => ({ ...current, ...part }))
    setErrors((all) => ({ ...all, ...Object.fromEntries(Object.keys(part).map((name) => [name, undefined])) }))
  }
  const discard = () => {
    setForm(formOf(saved))
    setErrors({})
    setFailure(undefined)
  }
  const setError = (name: string, message: string | undefined) => setErrors((all) => ({ ...all, [name]: message }))

  const showError = async (error: unknown) => {
    const fields = error instanceof ApiError ? error.fields : {}
    const names = Object.keys(fields)
    setFailure(describeSaveError(error))
    setErrors(fields)
    toast({ title: describeSaveError(error), tone: 'error' })
    if (names.length === 0) return
    await navigate(settingsUrl(names.includes('privacy_settings') ? 'privacy' : 'info'), {
      replace: true,
      preventScrollReset: true,
    })
    setInvalidFields(names)
  }
  const save = async () => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { profile, warnings = {} } = await api('PUT /api/user-profiles', {
        body: await inputOf(form, saved, (field, image) => uploadImage(api, field, image)),
      })
      const rejected = Object.keys(warnings)
      setSaved(profile)
      setForm((current) => restoreRejected(mergeSaved(current, form, profile), form, rejected))
      setErrors(warnings)
      setInvalidFields(rejected)
      toast({ title: 'Profile updated successfully!', tone: 'success' })
      void refresh()
    } catch (error) {
      await showError(error)
    } finally {
      setBusy(false)
    }
  }
  const isDirty = changedFields(form, saved).length > 0
  return { saved, form, errors, failure, isBusy, isDirty, change, setError, discard, save }
}

function SettingsSkeleton() {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-4 pt-4 pb-16">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-5 w-32" />
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-11" />
      <Skeleton className="h-96" />
      <Skeleton className="h-72" />
    </div>
  )
}
