import type { PrivacySettings, Profile, ProfileInput } from '#contract/members.ts'
import type { Database } from '#server/db/database.ts'
import { storeImageInput } from '#server/features/media/upload.ts'
import type { MediaStore } from '#server/features/media/store.ts'
import { AppError } from '#server/http/errors.ts'
import type { Caller } from '#server/features/authorization/guards.ts'
import type { MembersOptions } from './options.ts'
import { getProfile } from './profile.ts'
import { lockMember } from './standing.ts'
import { MAX_BIO_LENGTH, MAX_DISPLAY_NAME_LENGTH, MAX_LOCATION_LENGTH } from '#contract/limits.ts'
import { FieldErrors } from '#server/http/field-errors.ts'
import { parseLine, parseLink, parseText, type TextRule } from '#server/http/text.ts'
import { readSocialLinks } from './social-links.ts'

/**
 * Changes the caller's own profile and gives it anew. What is left out stays. Throws AppError `not_your_profile`,
 * `invalid`, `bad_image` or `image_too_large` with the fields, and what `lockStanding` throws.
 */
export async function changeProfile(options: MembersOptions, caller: Caller, body: ProfileInput): Promise<Profile> {
  const { db, store, renameAuthor } = options
  if (body.user_id !== undefined && String(body.user_id) !== String(caller.id)) {
    throw new AppError('not_your_profile', 403, 'You can only change your own profile.')
  }
  const columns = readProfileInput(body)
  // Outside of any transaction: decoding takes long.
  const images = {
    profile_image: await storeImage(db, store, 'profile_image', body.profile_image),
    banner_image: await storeImage(db, store, 'banner_image', body.banner_image),
  }
  const given = Object.entries({ ...columns, ...images }).filter(([, value]) => value !== undefined)
  await db.transaction().execute(async (trx) => {
    const former = await lockMember(trx, caller.id, { exclusive: true })
    if (given.length === 0) return
    await trx.updateTable('members').set(Object.fromEntries(given)).where('id', '=', caller.id).execute()
    const isRenamed = columns.display_name !== undefined && columns.display_name !== former.display_name
    if (isRenamed) await renameAuthor(trx, caller.id)
  })
  return getProfile(options, String(caller.id), caller)
}

async function storeImage(db: Database, store: MediaStore, field: string, given: string | null | undefined) {
  if (given === undefined) return undefined
  try {
    return await storeImageInput(db, store, given)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    throw new AppError(error.code, error.status, error.message, { fields: { [field]: error.message } })
  }
}

const NAME: TextRule = { field: 'display_name', name: 'The display name', maxLength: MAX_DISPLAY_NAME_LENGTH }
const BIO: TextRule = { field: 'bio', name: 'The bio', maxLength: MAX_BIO_LENGTH }
const LOCATION: TextRule = { field: 'location', name: 'The location', maxLength: MAX_LOCATION_LENGTH }
const WEBSITE = { field: 'website', name: 'The website' }

/** Characters that turn the direction of what follows: a name must not reorder the words around it. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/

/** The columns that a form gives, but for the images; what it leaves out is undefined. Throws AppError `invalid` that names every wrong field. */
export function readProfileInput(given: ProfileInput) {
  const refusals = new FieldErrors()
  const links = read(given.social_links, (social) => readSocialLinks(social, refusals))
  const columns = {
    display_name: read(given.display_name, (text) => readName(text, refusals)),
    bio: read(given.bio, (text) => (text?.trim() ? parseText(text, BIO, refusals) : null)),
    location: read(given.location, (text) => (text?.trim() ? parseLine(text, LOCATION, refusals) : null)),
    website: read(given.website, (text) => parseLink(text, WEBSITE, refusals)?.href ?? null),
    social_links: read(links, (social) => JSON.stringify(social)),
    ...privacyColumns(given.privacy_settings ?? {}),
  }
  refusals.throwIfAny()
  return columns
}

function read<T, R>(given: T | undefined, reader: (given: T) => R): R | undefined {
  return given === undefined ? undefined : reader(given)
}

function readName(text: string | null, refusals: FieldErrors): string | null {
  if (!text?.trim()) return null
  if (TURNS.test(text)) refusals.add(NAME.field, `${NAME.name} must not contain characters that turn the writing.`)
  return parseLine(text, NAME, refusals)
}

function privacyColumns({ profile_visibility, ...switches }: Partial<PrivacySettings>) {
  return { ...switches, is_private: read(profile_visibility, (visibility) => visibility === 'private') }
}
