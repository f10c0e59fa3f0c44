import { MAX_IMAGE_BYTES, SOCIAL_SITES, UNSUPPORTED_IMAGE } from '#contract/limits.ts'
import { isSupportedImage } from '#web/ui/image-types.ts'
import type { PrivacySettings, Profile, ProfileInput } from '#contract/members.ts'
import { ApiError, stringIn } from '#web/lib/api-error.ts'
import type { SocialSite } from '#web/features/members/social-icons.tsx'

/** The saved image, none, or a newly chosen file. */
export type ImageValue = 'saved' | 'none' | File

export interface SettingsForm {
  display_name: string
  bio: string
  location: string
  website: string
  social_links: Record<SocialSite, string>
  profile_image: ImageValue
  banner_image: ImageValue
  privacy_settings: PrivacySettings
}

/** What a group of fields needs. */
export interface SettingsFields {
  form: SettingsForm
  errors: Record<string, string | undefined>
  change: (part: Partial<SettingsForm>) => void
}

export function formOf(profile: Profile): SettingsForm {
  const { display_name, bio, location, website, social_links, privacy_settings } = profile
  return {
    display_name: display_name ?? '',
    bio: bio ?? '',
    location: location ?? '',
    website: website ?? '',
    social_links: Object.fromEntries(SOCIAL_SITES.map((site) => [site, social_links[site] ?? ''])) as Record<
      SocialSite,
      string
    >,
    profile_image: 'saved',
    banner_image: 'saved',
    privacy_settings,
  }
}

// All values but files are plain data.
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (!(a instanceof Blob) && !(b instanceof Blob) && JSON.stringify(a) === JSON.stringify(b))

/** The fields that differ from the saved profile. */
export function changedFields(form: SettingsForm, saved: Profile): (keyof SettingsForm)[] {
  const initial = formOf(saved)
  return (Object.keys(initial) as (keyof SettingsForm)[]).filter((name) => !isSame(form[name], initial[name]))
}

/** The form after `sent` was saved as `saved`. Fields that were changed since then keep their values. */
export function mergeSaved(form: SettingsForm, sent: SettingsForm, saved: Profile): SettingsForm {
  const names = Object.keys(form) as (keyof SettingsForm)[]
  const typed = names.filter((name) => !isSame(form[name], sent[name])).map((name) => [name, form[name]])
  return { ...formOf(saved), ...(Object.fromEntries(typed) as Partial<SettingsForm>) }
}

/** The form with the social links that the server did not save, as they were typed. */
export function restoreRejected(form: SettingsForm, sent: SettingsForm, fields: readonly string[]): SettingsForm {
  const rejected = SOCIAL_SITES.filter((site) => fields.includes(`social_links.${site}`))
  const links = rejected.map((site) => [site, sent.social_links[site]])
  return {
    ...form,
    social_links: { ...form.social_links, ...(Object.fromEntries(links) as Partial<typeof form.social_links>) },
  }
}

/** Uploads the image of a field and returns its URL. */
type Upload = (field: string, image: Blob) => Promise<string>

/** The request body. Contains only changed fields, so that two open tabs do not overwrite each other. */
export async function inputOf(form: SettingsForm, saved: Profile, upload: Upload): Promise<ProfileInput> {
  const { social_links, profile_image, banner_image, ...plain } = form
  const links = Object.entries(social_links).filter(([, link]) => link.trim() !== '')
  const all = {
    ...plain,
    social_links: Object.fromEntries(links.map(([site, link]) => [site, link.trim()])),
    profile_image: await imageOf('profile_image', profile_image, upload),
    banner_image: await imageOf('banner_image', banner_image, upload),
  }
  const changed = changedFields(form, saved).map((name) => [name, all[name]])
  return { user_id: saved.user_id, ...(Object.fromEntries(changed) as Partial<typeof all>) }
}

const imageOf = (field: string, image: ImageValue, upload: Upload) =>
  image instanceof Blob ? upload(field, image) : ''

const URL_WITHOUT_SCHEME = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([:/?#].*)?$/u

/** Trims a URL and adds https:// if only that is missing. */
export function withScheme(input: string): string {
  const text = input.trim()
  return URL_WITHOUT_SCHEME.test(text) ? `https://${text}` : text
}

/** Returns an error message, or undefined. The server checks the file's actual content. */
export function validateImage(file: { type: string; size: number }): string | undefined {
  if (!file.type.startsWith('image/')) return 'Please select an image file.'
  if (!isSupportedImage(file)) return UNSUPPORTED_IMAGE
  return file.size > MAX_IMAGE_BYTES ? 'Image must be smaller than ~3MB' : undefined
}

const PAYLOAD_TOO_LARGE = 413

export function describeSaveError(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0) return 'Failed to update profile. Please try again.'
  if (error.status === PAYLOAD_TOO_LARGE) return 'Image too large. Please use an image under ~3MB (or ~4MB base64).'
  return stringIn(error.body, 'error') ?? 'Failed to update profile.'
}
