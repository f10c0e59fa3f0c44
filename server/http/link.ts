import { MAX_URL_LENGTH } from '#contract/limits.ts'
import { type FieldErrors } from './field-errors.ts'
import { isLongerThan } from './text.ts'

export interface LinkRule {
  field: string
  /** How the sentences name it: 'The website'. */
  name: string
}

const isTooLong = (address: string) => isLongerThan(address, MAX_URL_LENGTH)
const CONTROL = /\p{Cc}/u

/** A web address as the URL standard writes it, or null for none and where it is refused. */
export function parseLink(given: string | null, { field, name }: LinkRule, refusals: FieldErrors): URL | null {
  const text = given?.trim() ?? ''
  if (!text) return null
  const refuse = (sentence: string) => {
    refusals.add(field, sentence)
    return null
  }
  const tooLong = `${name} can have at most ${MAX_URL_LENGTH} characters.`
  if (isTooLong(text)) return refuse(tooLong)
  const url = CONTROL.test(text) ? null : URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return refuse(`${name} must be a web address that begins with http:// or https://.`)
  }
  if (url.username || url.password) return refuse(`${name} must not contain a user name or password.`)
  return isTooLong(url.href) ? refuse(tooLong) : url
}
