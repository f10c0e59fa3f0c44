import { SOCIAL_SITES } from '#contract/limits.ts'
import type { PrivacySettings, Profile, ProfileInput } from '#contract/members.ts'
import type { SocialSite } from './social-icons.tsx'

/** A picture in the form: as it was saved, none, or a file that was just chosen. */
export type Picture = 'saved' | 'none' | File

export interface SettingsForm {
  display_name: string
  bio: string
  location: string
  website: string
  social_links: Record<SocialSite, string>
  profile_image: Picture
  banner_image: Picture
  privacy_settings: PrivacySettings
}

/** What a form may change at once. */
export type SettingsChange = (part: Partial<SettingsForm>) => void

/** The form as it stands when nothing has been touched. */
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

// All of a form but its files is plain data.
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (!(one instanceof Blob) && !(other instanceof Blob) && JSON.stringify(one) === JSON.stringify(other))

/** The fields in which a form differs from what is saved. */
export function changedFields(form: SettingsForm, saved: Profile): (keyof SettingsForm)[] {
  const before = formOf(saved)
  return (Object.keys(before) as (keyof SettingsForm)[]).filter((name) => !isSame(form[name], before[name]))
}

/** What to send: the changed fields alone, so that two open pages do not undo each other's work. */
export async function inputOf(
  form: SettingsForm,
  saved: Profile,
  readPicture: (file: File) => Promise<string>,
): Promise<ProfileInput> {
  const { social_links, profile_image, banner_image, ...plain } = form
  const links = Object.entries(social_links).filter(([, address]) => address.trim() !== '')
  const whole = {
    ...plain,
    social_links: Object.fromEntries(links.map(([site, address]) => [site, address.trim()])),
    profile_image: await pictureOf(profile_image, readPicture),
    banner_image: await pictureOf(banner_image, readPicture),
  }
  const changed = changedFields(form, saved).map((name) => [name, whole[name]])
  return { user_id: saved.user_id, ...(Object.fromEntries(changed) as Partial<typeof whole>) }
}

const pictureOf = (picture: Picture, read: (file: File) => Promise<string>) =>
  picture instanceof Blob ? read(picture) : ''
