import {
  MAX_BIO_LENGTH,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_LOCATION_LENGTH,
  MAX_URL_LENGTH,
  SOCIAL_SITES,
} from '#contract/limits.ts'
import type { Profile } from '#contract/members.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { coverArt, DrawnCover } from '#web/shared/cards/script-cover.tsx'
import { objectUrl } from '#web/lib/files.ts'
import { MarkdownArea } from '#web/shared/markdown/markdown-area.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { ImageDrop } from '#web/ui/image-drop.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { displayNameOf } from '#web/features/members/profile-url.ts'
import { type ImageValue, type SettingsFields, validateImage, withScheme } from './settings-form.ts'
import { SOCIAL_LABELS, SocialIcon, type SocialSite } from '#web/features/members/social-icons.tsx'

type ImageName = 'profile_image' | 'banner_image'

interface ImageProps extends SettingsFields {
  profile: Profile
  setError: (name: ImageName, message: string | undefined) => void
}

export function ImageFields({ profile, form, errors, change, setError }: ImageProps) {
  const toast = useToast()
  const propsOf = (name: ImageName) => ({
    name,
    error: errors[name],
    preview: imageUrl(form[name], profile[name]),
    onFile: (file: File) => {
      const problem = validateImage(file)
      if (problem) toast({ title: problem, tone: 'error' })
      else change({ [name]: file })
      setError(name, problem)
    },
    onRemove: () => {
      change({ [name]: profile[name] ? 'none' : 'saved' })
      setError(name, undefined)
    },
  })
  const withoutImage = { ...profile, profile_image: null, author_avatar: null }
  return (
    <FormSection title="Images" text="PNG, JPEG, WebP, GIF or AVIF, each under 3 MB.">
      <ImageDrop
        {...propsOf('profile_image')}
        label="Profile image"
        help="Defaults to your Discord avatar."
        frame="size-24 rounded-full sm:size-28"
        fallback={<MemberAvatar member={withoutImage} name={displayNameOf(profile)} size="huge" />}
      />
      <ImageDrop
        {...propsOf('banner_image')}
        label="Banner image"
        help="Shown at the top of your profile. 6:1 works best."
        frame="aspect-[3/1] w-full rounded-sm sm:w-72"
        fallback={<DrawnCover art={{ ...coverArt(profile.username), letters: '' }} />}
      />
    </FormSection>
  )
}

function imageUrl(image: ImageValue, saved: string | null): string {
  if (image instanceof Blob) return objectUrl(image)
  return image === 'saved' ? (saved ?? '') : ''
}

export function InfoFields({ form, errors, change }: SettingsFields) {
  return (
    <FormSection title="About you" text="All optional.">
      <Field name="display_name" label="Display name" help="Shown with your username." error={errors['display_name']}>
        {(aria) => (
          <TextInput
            {...aria}
            value={form.display_name}
            maxLength={MAX_DISPLAY_NAME_LENGTH}
            onChange={(display_name) => change({ display_name })}
          />
        )}
      </Field>
      <Field
        name="bio"
        label="Bio"
        help="You can use Markdown: **bold**, lists and links."
        aside={`${form.bio.length} / ${MAX_BIO_LENGTH}`}
        error={errors['bio']}
      >
        {(aria) => (
          <MarkdownArea aria={aria} value={form.bio} maxLength={MAX_BIO_LENGTH} onChange={(bio) => change({ bio })} />
        )}
      </Field>
      <Field name="location" label="Location" error={errors['location']}>
        {(aria) => (
          <TextInput
            {...aria}
            value={form.location}
            maxLength={MAX_LOCATION_LENGTH}
            onChange={(location) => change({ location })}
          />
        )}
      </Field>
      <Field name="website" label="Website" error={errors['website']}>
        {(aria) => (
          <TextInput
            {...aria}
            type="url"
            inputMode="url"
            placeholder="https://example.com"
            value={form.website}
            maxLength={MAX_URL_LENGTH}
            onChange={(website) => change({ website })}
            onBlur={() => change({ website: withScheme(form.website) })}
          />
        )}
      </Field>
    </FormSection>
  )
}

const PLACEHOLDERS: Record<SocialSite, string> = {
  youtube: 'https://www.youtube.com/@you',
  github: 'https://github.com/you',
  x: 'https://x.com/you',
  instagram: 'https://www.instagram.com/you',
  twitch: 'https://www.twitch.tv/you',
  roblox: 'https://www.roblox.com/users/1/profile',
  discord: 'Username or invite link',
  other: 'https://example.com/you',
}

export function SocialFields({ form, errors, change }: SettingsFields) {
  const links = form.social_links
  const set = (site: SocialSite, link: string) => change({ social_links: { ...links, [site]: link } })
  return (
    <FormSection title="Social links" text="Enter usernames or full URLs.">
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
                placeholder={PLACEHOLDERS[site]}
                value={links[site]}
                maxLength={MAX_URL_LENGTH}
                onChange={(link) => set(site, link)}
                onBlur={() => set(site, site === 'discord' ? links[site].trim() : withScheme(links[site]))}
              />
            )}
          </Field>
        ))}
      </div>
    </FormSection>
  )
}
