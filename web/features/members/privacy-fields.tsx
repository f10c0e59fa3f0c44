import Globe from 'lucide-react/icons/globe'
import Lock from 'lucide-react/icons/lock'
import type { PrivacySettings } from '#contract/members.ts'
import { FormSection } from '#web/ui/form-section.tsx'
import { RadioCards } from '#web/ui/radio-cards.tsx'
import { Switch } from '#web/ui/switch.tsx'
import type { SettingsPart } from './use-settings.ts'

const VISIBILITIES = [
  { value: 'public', label: 'Public', text: 'Everybody sees your profile, as set below.', icon: Globe },
  { value: 'private', label: 'Private', text: 'Others see your name and picture only.', icon: Lock },
] as const

const SWITCHES: readonly [keyof Omit<PrivacySettings, 'profile_visibility'>, label: string, help: string][] = [
  [
    'show_email',
    'Show e-mail address',
    'Everybody who opens your profile could write to you. Off unless you turn it on.',
  ],
  ['show_location', 'Show location', 'Where you say that you are, beside your name.'],
  ['show_website', 'Show website', 'The link to your own site.'],
  ['show_social_links', 'Show social links', 'Where else you can be found.'],
  ['show_script_stats', 'Show script figures', 'How many scripts, views and points you have, and how they are rated.'],
  ['show_recent_activity', 'Show recent activity', 'When you were last here.'],
]

/** Who sees what. Admins see everything, and the texts promise no more than that. */
export function PrivacyFields({ form, change }: SettingsPart) {
  const privacy = form.privacy_settings
  const set = (part: Partial<PrivacySettings>) => change({ privacy_settings: { ...privacy, ...part } })
  return (
    <>
      <FormSection title="Profile visibility" text="Your scripts and reviews keep your name either way.">
        <div data-field="privacy_settings">
          <RadioCards
            legend="Who sees your profile"
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
            ? 'These count once your profile is public again.'
            : 'You and the admins of this site always see all of it.'
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
