import { MAX_TAG_LENGTH, MAX_TAGS } from '#contract/limits.ts'
import { foldTag } from '#server/features/catalogue/service.ts'
import { hasControl, isLongerThan, isVisible, type Refusals } from '#server/http/text.ts'

/** A list that stands in a text as JSON; undefined where there is none. */
function parseList(text: string): string[] | undefined {
  if (text.trim() === '') return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((name) => typeof name === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

function findFault(name: string): string | undefined {
  if (isLongerThan(name, MAX_TAG_LENGTH)) return `A tag can have at most ${MAX_TAG_LENGTH} characters.`
  // Lists take several tags with commas between them.
  if (name.includes(',')) return 'A tag must not contain a comma.'
  // A JSON text can hold what the request's own JSON may not.
  if (hasControl(name) || /[\t\n]/.test(name) || !name.isWellFormed() || !isVisible(name))
    return 'A tag must not contain control characters and must have something to read.'
  return undefined
}

/** Tags as lists find them: trimmed, lower-case, without the # that people write before them, each once, in their order. */
export function readTags(given: string[] | string, refusals: Refusals): string[] {
  const list = typeof given === 'string' ? parseList(given) : given
  if (!list) {
    refusals.add('tags', 'The tags must be a list of names.')
    return []
  }
  const names = [...new Set(list.map((name) => foldTag(name.trim().replace(/^#+/, ''))).filter(Boolean))]
  if (names.length > MAX_TAGS) refusals.add('tags', `A script can have at most ${MAX_TAGS} tags.`)
  const fault = names.map(findFault).find((sentence) => sentence !== undefined)
  if (fault) refusals.add('tags', fault)
  return names
}
