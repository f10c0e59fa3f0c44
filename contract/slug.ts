const KEPT = /[\p{L}\p{M}\p{N}]/u
const SPACE = /\s/u

/**
 * The readable part of an address: lower case, letters, digits and single hyphens (and underscores where asked for).
 * One pass over the characters, so that no input makes it slow.
 */
export function makeSlug(text: string, options: { keepUnderscores?: boolean } = {}): string {
  let slug = ''
  let isGapPending = false
  for (const character of text.normalize('NFC').toLowerCase()) {
    if (character === '-' || SPACE.test(character)) {
      isGapPending = slug !== ''
    } else if (KEPT.test(character) || (options.keepUnderscores && character === '_')) {
      slug += isGapPending ? `-${character}` : character
      isGapPending = false
    }
  }
  return slug
}

/** The last part of a script's address: its title's slug, a hyphen, its id. */
export function scriptSlug(title: string, id: number): string {
  return `${makeSlug(title)}-${id}`
}

const LONGEST_ID = 10
const MAX_ID = 2_147_483_647

/** The id at the end of a script's slug, or null where there is none that the database could hold. */
export function readScriptId(slug: string): number | null {
  const hyphen = slug.lastIndexOf('-')
  const digits = slug.slice(hyphen + 1)
  if (hyphen < 0 || digits.length > LONGEST_ID || !/^[0-9]+$/.test(digits)) return null
  const id = Number(digits)
  return id >= 1 && id <= MAX_ID ? id : null
}
