const SLUG_CHARACTER = /[\p{L}\p{M}\p{N}]/u
const SPACE = /\s/u

/** Lower-case letters, digits, single hyphens, and underscores if `allowUnderscores` is set. Runs in linear time. */
export function makeSlug(text: string, options: { allowUnderscores?: boolean } = {}): string {
  let slug = ''
  let isGapPending = false
  for (const character of text.normalize('NFC').toLowerCase()) {
    if (character === '-' || SPACE.test(character)) {
      isGapPending = slug !== ''
    } else if (SLUG_CHARACTER.test(character) || (options.allowUnderscores && character === '_')) {
      slug += isGapPending ? `-${character}` : character
      isGapPending = false
    }
  }
  return slug
}

/** The last part of a script's URL: the slug of its title, a hyphen, its id. */
export function scriptSlug(title: string, id: number): string {
  return `${makeSlug(title)}-${id}`
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
