import {
  MAX_CHANGELOG_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_GAME_ID_LENGTH,
  MAX_TITLE_LENGTH,
  MAX_VERSION_LENGTH,
} from '#contract/limits.ts'
import { readLink } from '#server/http/link.ts'
import type { Refusals, TextRule } from '#server/http/text.ts'

export const TITLE: TextRule = { field: 'title', name: 'The title', most: MAX_TITLE_LENGTH }
export const DESCRIPTION: TextRule = { field: 'description', name: 'The description', most: MAX_DESCRIPTION_LENGTH }
export const VERSION: TextRule = { field: 'version', name: 'The version', most: MAX_VERSION_LENGTH }
export const CHANGELOG: TextRule = { field: 'changelog', name: 'The changelog', most: MAX_CHANGELOG_LENGTH }

/** A link as the URL standard writes it, or null for none. */
export function readKeySystemUrl(given: string | null, refusals: Refusals): string | null {
  return readLink(given, { field: 'key_system_url', name: 'The key system link' }, refusals)?.href ?? null
}

const GAME_ID = new RegExp(`^[0-9]{1,${MAX_GAME_ID_LENGTH}}$`)

export function readGameId(given: string | null, refusals: Refusals): string | null {
  const text = given?.trim() ?? ''
  if (!text) return null
  if (!GAME_ID.test(text)) refusals.add('game_id', `The game id must be 1 to ${MAX_GAME_ID_LENGTH} digits.`)
  return text
}

const LONGEST_TIME = 40

/** A time as this site writes it, in milliseconds. */
export function readTime(given: string, field: string, refusals: Refusals): number {
  const time = given.length <= LONGEST_TIME ? Date.parse(given) : NaN
  if (Number.isNaN(time)) refusals.add(field, 'This must be a time as the script gives it.')
  return time
}
