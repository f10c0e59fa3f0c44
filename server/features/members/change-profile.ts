import { MAX_BIO_LENGTH, MAX_DISPLAY_NAME_LENGTH, MAX_LOCATION_LENGTH } from '#contract/limits.ts'
import type { PrivacySettings, Profile, ProfileInput, SocialLinks } from '#contract/members.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { type MediaLibrary, storeImageInput } from '#server/platform/media/upload.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { FieldErrors } from '#server/platform/http/field-errors.ts'
import { ifDefined, parseLine, parseLink, parseText, type TextRule } from '#server/platform/http/text.ts'
import { getProfile, type ProfileOptions } from './profile.ts'
import { type ParsedLinks, parseSocialLinks } from './social-links.ts'
import { rejectStaffName } from './staff-names.ts'
import { transactAsMember } from './standing.ts'

export interface ChangeProfileOptions extends ProfileOptions {
  media: MediaLibrary
  /** Updates the search documents of a member's scripts. Called in the transaction that changes the name. */
  renameAuthor: (trx: Transaction, memberId: number) => Promise<void>
  siteName: () => string
}

const NAME: TextRule = { field: 'display_name', label: 'Display name', maxLength: MAX_DISPLAY_NAME_LENGTH }
const BIO: TextRule = { field: 'bio', maxLength: MAX_BIO_LENGTH }
const LOCATION: TextRule = { field: 'location', maxLength: MAX_LOCATION_LENGTH }
const WEBSITE = { field: 'website' }

interface ChangedProfile {
  profile: Profile
  /** Why social links were not saved, by field. */
  warnings?: Record<string, string>
}

/**
 * Saves all fields or none, except that an invalid social link does not prevent the other changes. Throws AppError
 * `not_your_profile`, `invalid`, `bad_image`, `image_too_large`, and what `lockMember` throws.
 */
export async function changeProfile(
  options: ChangeProfileOptions,
  caller: Caller,
  body: ProfileInput,
): Promise<ChangedProfile> {
  const { db, media, renameAuthor, siteName } = options
  if (body.user_id !== undefined && String(body.user_id) !== String(caller.id)) {
    throw new AppError('not_your_profile', 403, 'You can only change your own profile.')
  }
  const { columns, links, warnings } = parseProfile(body)
  // Before the transaction, because decoding an image takes long.
  const storeImage = (field: 'profile_image' | 'banner_image') =>
    ifDefined(body[field], (input) => storeImageInput(db, media, { field, input, uploader: caller.id }))
  const images = { profile_image: await storeImage('profile_image'), banner_image: await storeImage('banner_image') }
  const changes = Object.entries({ ...columns, ...images }).filter(([, value]) => value !== undefined)
  await transactAsMember(db, { memberId: caller.id, exclusive: true }, async (trx, before) => {
    const set = Object.fromEntries([...changes, ...(await mergeLinks(trx, caller.id, links))])
    if (Object.keys(set).length === 0) return
    const isRenamed = columns.display_name !== undefined && columns.display_name !== before.display_name
    if (isRenamed && columns.display_name) await rejectStaffName(trx, caller, columns.display_name, siteName())
    await trx.updateTable('members').set(set).where('id', '=', caller.id).execute()
    if (isRenamed) await renameAuthor(trx, caller.id)
  })
  const profile = await getProfile(options, String(caller.id), caller)
  return { profile, ...(warnings.isEmpty ? {} : { warnings: warnings.toRecord() }) }
}

/** The column of the new links, in which rejected ones keep their stored values. The member must be locked. */
async function mergeLinks(
  trx: Transaction,
  memberId: number,
  parsed: ParsedLinks | undefined,
): Promise<[string, unknown][]> {
  if (!parsed) return []
  const row = await trx
    .selectFrom('members')
    .select('social_links')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  const stored = Object.entries(row.social_links as SocialLinks)
  const unchanged = stored.filter(([site]) => parsed.rejected.some((each) => each === site))
  return [['social_links', JSON.stringify({ ...parsed.links, ...Object.fromEntries(unchanged) })]]
}

/** Parses all fields but the images; omitted ones are undefined. Throws AppError `invalid` with every wrong field. */
function parseProfile(body: ProfileInput) {
  const errors = new FieldErrors()
  const warnings = new FieldErrors()
  const links = ifDefined(body.social_links, (input) => parseSocialLinks(input, warnings))
  const columns = {
    display_name: ifDefined(body.display_name, (text) => (text?.trim() ? parseLine(text, NAME, errors) : null)),
    bio: ifDefined(body.bio, (text) => (text?.trim() ? parseText(text, BIO, errors) : null)),
    location: ifDefined(body.location, (text) => (text?.trim() ? parseLine(text, LOCATION, errors) : null)),
    website: ifDefined(body.website, (text) => parseLink(text, WEBSITE, errors)?.href ?? null),
    ...parsePrivacy(body.privacy_settings ?? {}),
  }
  const { user_id: _id, social_links = {}, ...others } = body
  const isOnlyRejected = Object.keys(others).length === 0 && Object.keys(social_links).length === links?.rejected.length
  // Together, so that one response names everything that is wrong.
  if (!errors.isEmpty || isOnlyRejected) errors.addAll(warnings)
  errors.throwIfAny()
  return { columns, links, warnings }
}

function parsePrivacy({ profile_visibility, ...switches }: Partial<PrivacySettings>) {
  return { ...switches, is_private: ifDefined(profile_visibility, (visibility) => visibility === 'private') }
}
