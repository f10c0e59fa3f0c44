import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Suspense, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Profile } from '#contract/members.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { Button } from '#web/ui/button.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { InfoFields } from './info-fields.tsx'
import { OwnData } from './own-data.tsx'
import { PictureFields } from './picture-fields.tsx'
import { PrivacyFields } from './privacy-fields.tsx'
import { profileUrl } from './profile-url.ts'
import { readSettingsTab, settingsUrl } from './settings-url.ts'
import { SocialFields } from './social-fields.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useSettings } from './use-settings.ts'

const TABS = [
  { id: 'info', label: 'Profile Info', to: settingsUrl('info') },
  { id: 'privacy', label: 'Privacy', to: settingsUrl('privacy') },
  { id: 'notifications', label: 'Notifications', to: settingsUrl('notifications') },
]

const NotificationPreferences = lazyComponent(
  async () => (await import('#web/components/notifications/notification-preferences.tsx')).NotificationPreferences,
)

export function SettingsView({ loaded }: { loaded: Profile }) {
  const [query] = useSearchParams()
  const tab = readSettingsTab(query)
  const place = useRef<HTMLFormElement>(null)
  const settings = useSettings(loaded, place)
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
        {tab === 'notifications' ? (
          <Suspense fallback={<Skeleton className="h-96" />}>
            <NotificationPreferences />
          </Suspense>
        ) : (
          <form
            ref={place}
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
                <PictureFields profile={saved} {...settings} />
                <InfoFields {...settings} />
                <SocialFields {...settings} />
              </>
            ) : (
              <PrivacyFields {...settings} />
            )}
            {failure && <FormAlert>{failure}</FormAlert>}
            <SaveBar {...settings} />
          </form>
        )}
        {tab === 'privacy' && <OwnData username={saved.username} />}
      </LinkTabs>
      <UnsavedGuard isDirty={isDirty} />
    </div>
  )
}

function SaveBar({ isDirty, isBusy, discard }: Pick<ReturnType<typeof useSettings>, 'isDirty' | 'isBusy' | 'discard'>) {
  return (
    <div
      data-dirty={isDirty || undefined}
      className="bottom-0 z-10 -mx-4 flex flex-wrap items-center justify-end gap-3 border-line bg-surface-0 px-4 pb-[max(1rem,env(safe-area-inset-bottom))] data-dirty:sticky data-dirty:border-t data-dirty:pt-4 sm:mx-0 sm:px-0"
    >
      <output className="mr-auto text-sm text-muted max-sm:w-full">{isDirty && 'You have unsaved changes.'}</output>
      <Button disabled={!isDirty || isBusy} onClick={discard} className="max-sm:flex-1">
        Discard
      </Button>
      <Button
        type="submit"
        variant="primary"
        disabled={!isDirty}
        aria-disabled={isBusy}
        className="min-w-36 max-sm:flex-1"
      >
        {isBusy ? 'Saving...' : 'Save changes'}
      </Button>
    </div>
  )
}
