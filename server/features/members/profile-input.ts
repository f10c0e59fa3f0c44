import { MAX_BIO_LENGTH, MAX_DISPLAY_NAME_LENGTH, MAX_LOCATION_LENGTH } from '#contract/limits.ts'
import type { PrivacySettings, ProfileInput } from '#contract/members.ts'
import { readLink } from '#server/http/link.ts'
import { readLine, readText, Refusals, type TextRule } from '#server/http/text.ts'
import { readSocialLinks } from './social-links.ts'

const NAME: TextRule = { field: 'display_name', name: 'The display name', most: MAX_DISPLAY_NAME_LENGTH }
const BIO: TextRule = { field: 'bio', name: 'The bio', most: MAX_BIO_LENGTH }
const LOCATION: TextRule = { field: 'location', name: 'The location', most: MAX_LOCATION_LENGTH }
const WEBSITE = { field: 'website', name: 'The website' }

/** Characters that turn the direction of what follows: a name must not reorder the words around it. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/

/** The columns that a form gives, but for the images; what it leaves out is undefined. Throws AppError `invalid` that names every wrong field. */
export function readProfileInput(given: ProfileInput) {
  const refusals = new Refusals()
  const links = read(given.social_links, (social) => readSocialLinks(social, refusals))
  const columns = {
    display_name: read(given.display_name, (text) => readName(text, refusals)),
    bio: read(given.bio, (text) => (text?.trim() ? readText(text, BIO, refusals) : null)),
    location: read(given.location, (text) => (text?.trim() ? readLine(text, LOCATION, refusals) : null)),
    website: read(given.website, (text) => readLink(text, WEBSITE, refusals)?.href ?? null),
    social_links: read(links, (social) => JSON.stringify(social)),
    ...privacyColumns(given.privacy_settings ?? {}),
  }
  refusals.check()
  return columns
}

function read<T, R>(given: T | undefined, reader: (given: T) => R): R | undefined {
  return given === undefined ? undefined : reader(given)
}

function readName(text: string | null, refusals: Refusals): string | null {
  if (!text?.trim()) return null
  if (TURNS.test(text)) refusals.add(NAME.field, `${NAME.name} must not contain characters that turn the writing.`)
  return readLine(text, NAME, refusals)
}

function privacyColumns({ profile_visibility, ...switches }: Partial<PrivacySettings>) {
  return { ...switches, is_private: read(profile_visibility, (visibility) => visibility === 'private') }
}
