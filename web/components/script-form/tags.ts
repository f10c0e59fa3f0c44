import { MAX_TAG_LENGTH, MAX_TAGS } from '#contract/limits.ts'
import { characterCount } from '#web/lib/text-bytes.ts'

export interface AddedTags {
  tags: string[]
  /** What was not taken and stays to be put right. */
  rest: string
  error: string | undefined
}

/** Adds what was typed, trimmed, lower case, without doubles. Commas part several. A leading # is how tags are shown. */
export function addTags(tags: readonly string[], typed: string): AddedTags {
  const next = [...tags]
  const refused: string[] = []
  let error: string | undefined
  for (const part of typed.split(',')) {
    const tag = part.trim().replace(/^#+/, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()
    if (tag === '' || next.includes(tag)) continue
    if (characterCount(tag) > MAX_TAG_LENGTH) error = `A tag has at most ${MAX_TAG_LENGTH} characters.`
    else if (next.length >= MAX_TAGS) error = `A script has at most ${MAX_TAGS} tags.`
    else {
      next.push(tag)
      continue
    }
    refused.push(part.trim())
  }
  return { tags: next, rest: refused.join(', '), error }
}
