import Globe from 'lucide-react/icons/globe'
import Lock from 'lucide-react/icons/lock'
import type { PrivacySettings } from '#contract/members.ts'
import { FormSection } from '#web/ui/form-section.tsx'
import { RadioCards } from '#web/ui/radio-cards.tsx'
import { Switch } from '#web/ui/switch.tsx'
import type { SettingsFields } from './settings-form.ts'

const VISIBILITIES = [
  { value: 'public', label: 'Public', text: 'Anyone can see your profile, with the settings below.', icon: Globe },
  { value: 'private', label: 'Private', text: 'Others see only your name and avatar.', icon: Lock },
] as const

const SWITCHES: readonly [keyof Omit<PrivacySettings, 'profile_visibility'>, label: string, help: string][] = [
  ['show_email', 'Show email address', 'Anyone viewing your profile can see it. Off by default.'],
  ['show_location', 'Show location', 'Your location.'],
  ['show_website', 'Show website', 'The link to your website.'],
  ['show_social_links', 'Show social links', 'Your other accounts.'],
  ['show_script_stats', 'Show script stats', 'Script count, views, reputation and rating.'],
  ['show_recent_activity', 'Show recent activity', 'When you were last online.'],
]

export function PrivacyFields({ form, change }: SettingsFields) {
  const privacy = form.privacy_settings
  const set = (part: Partial<PrivacySettings>) => change({ privacy_settings: { ...privacy, ...part } })
  return (
    <>
      <FormSection title="Profile visibility" text="Your name stays on your scripts and reviews.">
        <div data-field="privacy_settings">
          <RadioCards
            legend="Who can see your profile"
            value={privacy.profile_visibility}
            cards={VISIBILITIES}
            onChange={(profile_visibility) => set({ profile_visibility })}
          />
        </div>
      </FormSection>
      <FormSection
        title="What others see"
        text={
          privacy.profile_visibility === 'private'
            ? 'These apply when your profile is public.'
            : 'Admins can always see everything.'
        }
      >
        <div className="flex flex-col gap-3">
          {SWITCHES.map(([name, label, help]) => (
            <Switch
              key={name}
              label={label}
              help={help}
              isOn={privacy[name]}
              onChange={(isOn) => set({ [name]: isOn })}
            />
          ))}
        </div>
      </FormSection>
    </>
  )
}
