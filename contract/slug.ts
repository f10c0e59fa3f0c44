import { cutBytes } from '@scriptyard/text'

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/** Marks that are part of a letter: not those that enclose it, and no variation selectors. */
const MARK = /(?![\p{Me}\p{DI}])\p{M}/u
const SPACE = /\s/u
/** Invisible characters that may stand between a letter and its mark. */
const IGNORED = /\p{DI}/u

/**
 * Lower-case letters with their marks, digits, single hyphens, and underscores if `allowUnderscores` is set. A mark goes with
 * its base. Runs in linear time.
 */
export function makeSlug(text: string, options: { allowUnderscores?: boolean } = {}): string {
  let slug = ''
  let isGapPending = false
  let hasBase = false
  for (const character of text.normalize('NFC').toLowerCase()) {
    if (character === '-' || SPACE.test(character)) {
      isGapPending = slug !== ''
      hasBase = false
    } else if (LETTER_OR_DIGIT.test(character) || (options.allowUnderscores && character === '_')) {
      slug += isGapPending ? `-${character}` : character
      isGapPending = false
      hasBase = true
    } else if (!MARK.test(character)) hasBase = hasBase && IGNORED.test(character)
    else if (hasBase) slug += character
  }
  return slug
}

/** The last part of a script's URL: the slug of its title, a hyphen, its id. */
export function scriptSlug(title: string, id: number): string {
  return `${makeSlug(title)}-${id}`
}

/** Of the names of files on common systems. */
const MAX_FILE_NAME_BYTES = 255

/** The name of a script's file: its slug, whose title is shortened to what file systems take. */
export function scriptFileName(slug: string): string {
  const hyphen = slug.lastIndexOf('-')
  const end = `${slug.slice(hyphen)}.luau`
  return cutBytes(slug.slice(0, hyphen), MAX_FILE_NAME_BYTES - end.length) + end
}

const MAX_ID_DIGITS = 10
const MAX_ID = 2_147_483_647

/** The id at the end of a script's slug, or null if there is no valid id. */
export function readScriptId(slug: string): number | null {
  const hyphen = slug.lastIndexOf('-')
  const digits = slug.slice(hyphen + 1)
  if (hyphen < 0 || digits.length > MAX_ID_DIGITS || !/^[0-9]+$/.test(digits)) return null
  const id = Number(digits)
  return id >= 1 && id <= MAX_ID ? id : null
}
