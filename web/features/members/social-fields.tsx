import { MAX_URL_LENGTH, SOCIAL_SITES } from '#contract/limits.ts'
import { FormSection } from '#web/ui/form-section.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { SOCIAL_LABELS, SocialIcon, type SocialSite } from './social-icons.tsx'
import type { SettingsPart } from './use-settings.ts'
import { withScheme } from './with-scheme.ts'

const HINTS: Record<SocialSite, string> = {
  youtube: 'https://www.youtube.com/@you',
  github: 'https://github.com/you',
  x: 'https://x.com/you',
  twitch: 'https://www.twitch.tv/you',
  roblox: 'https://www.roblox.com/users/1/profile',
  discord: 'your name there, or an invitation',
  other: 'https://example.com/you',
}

/** Where else a member can be found. */
export function SocialFields({ form, errors, change }: SettingsPart) {
  const links = form.social_links
  const set = (site: SocialSite, address: string) => change({ social_links: { ...links, [site]: address } })
  return (
    <FormSection title="Social links" text="Whole addresses, as your browser shows them.">
      {errors['social_links'] && (
        <p role="alert" className="text-sm text-danger wrap-anywhere">
          {errors['social_links']}
        </p>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        {SOCIAL_SITES.map((site) => (
          <Field
            key={site}
            name={`social_links.${site}`}
            label={SOCIAL_LABELS[site]}
            aside={<SocialIcon site={site} />}
            error={errors[`social_links.${site}`]}
          >
            {(aria) => (
              <TextInput
                {...aria}
                inputMode={site === 'discord' ? 'text' : 'url'}
                placeholder={HINTS[site]}
                value={links[site]}
                maxLength={MAX_URL_LENGTH}
                onChange={(address) => set(site, address)}
                onBlur={() => set(site, site === 'discord' ? links[site].trim() : withScheme(links[site]))}
              />
            )}
          </Field>
        ))}
      </div>
    </FormSection>
  )
}
