const encoder = new TextEncoder()

/** What a text weighs as UTF-8. */
export const utf8Length = (text: string): number => encoder.encode(text).length

/** How long a text is for a person: a character outside of the first plane counts once. */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
