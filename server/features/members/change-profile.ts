import { MAX_BIO_LENGTH, MAX_DISPLAY_NAME_LENGTH, MAX_LOCATION_LENGTH } from '#contract/limits.ts'
import type { PrivacySettings, Profile, ProfileInput } from '#contract/members.ts'
import type { Database } from '#server/db/database.ts'
import type { Caller } from '#server/features/authorization/guards.ts'
import { type MediaLibrary, storeImageInput } from '#server/features/media/upload.ts'
import { AppError } from '#server/http/errors.ts'
import { FieldErrors } from '#server/http/field-errors.ts'
import { ifDefined, parseLine, parseLink, parseText, type TextRule } from '#server/http/text.ts'
import { getProfile, type ProfileOptions } from './profile.ts'
import { parseSocialLinks } from './social-links.ts'
import { rejectStaffName } from './staff-names.ts'
import { lockMember } from './standing.ts'

export interface ChangeProfileOptions extends ProfileOptions {
  media: MediaLibrary
  /** Updates the search documents of a member's scripts. Called in the transaction that changes the name. */
  renameAuthor: (trx: Database, memberId: number) => Promise<void>
  siteName: () => string
}

const NAME: TextRule = { field: 'display_name', label: 'Display name', maxLength: MAX_DISPLAY_NAME_LENGTH }
const BIO: TextRule = { field: 'bio', maxLength: MAX_BIO_LENGTH }
const LOCATION: TextRule = { field: 'location', maxLength: MAX_LOCATION_LENGTH }
const WEBSITE = { field: 'website' }

/** Throws AppError `not_your_profile`, `invalid`, `bad_image`, `image_too_large`, and what `lockMember` throws. */
export async function changeProfile(
  options: ChangeProfileOptions,
  caller: Caller,
  body: ProfileInput,
): Promise<Profile> {
  const { db, media, renameAuthor, siteName } = options
  if (body.user_id !== undefined && String(body.user_id) !== String(caller.id)) {
    throw new AppError('not_your_profile', 403, 'You can only change your own profile.')
  }
  const columns = parseProfile(body)
  // Before the transaction, because decoding an image takes long.
  const storeImage = (field: 'profile_image' | 'banner_image') =>
    ifDefined(body[field], (input) => storeImageInput(db, media, { field, input, uploader: caller.id }))
  const images = { profile_image: await storeImage('profile_image'), banner_image: await storeImage('banner_image') }
  const changes = Object.entries({ ...columns, ...images }).filter(([, value]) => value !== undefined)
  await db.transaction().execute(async (trx) => {
    const before = await lockMember(trx, caller.id, { exclusive: true })
    if (changes.length === 0) return
    const isRenamed = columns.display_name !== undefined && columns.display_name !== before.display_name
    if (isRenamed && columns.display_name) await rejectStaffName(trx, caller, columns.display_name, siteName())
    await trx.updateTable('members').set(Object.fromEntries(changes)).where('id', '=', caller.id).execute()
    if (isRenamed) await renameAuthor(trx, caller.id)
  })
  return getProfile(options, String(caller.id), caller)
}

/** Parses all fields but the images; omitted ones are undefined. Throws AppError `invalid` with every wrong field. */
function parseProfile(body: ProfileInput) {
  const errors = new FieldErrors()
  const links = ifDefined(body.social_links, (input) => parseSocialLinks(input, errors))
  const columns = {
    display_name: ifDefined(body.display_name, (text) => (text?.trim() ? parseLine(text, NAME, errors) : null)),
    bio: ifDefined(body.bio, (text) => (text?.trim() ? parseText(text, BIO, errors) : null)),
    location: ifDefined(body.location, (text) => (text?.trim() ? parseLine(text, LOCATION, errors) : null)),
    website: ifDefined(body.website, (text) => parseLink(text, WEBSITE, errors)?.href ?? null),
    social_links: ifDefined(links, (input) => JSON.stringify(input)),
    ...parsePrivacy(body.privacy_settings ?? {}),
  }
  errors.throwIfAny()
  return columns
}

function parsePrivacy({ profile_visibility, ...switches }: Partial<PrivacySettings>) {
  return { ...switches, is_private: ifDefined(profile_visibility, (visibility) => visibility === 'private') }
}
