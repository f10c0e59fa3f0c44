/** The number of characters: Unicode code points, as PostgreSQL and JSON Schema count them. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

export function isLongerThan(text: string, maxLength: number): boolean {
  return text.length > maxLength * 2 || (text.length > maxLength && countCharacters(text) > maxLength)
}

let graphemes: Intl.Segmenter | undefined

/** The longest start of a text within a limit that splits no grapheme, so that no emoji and no accent is cut in half. */
function cut(text: string, limit: number, sizeOf: (part: string) => number): string {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  let end = 0
  let size = 0
  for (const { segment, index } of graphemes.segment(text)) {
    size += sizeOf(segment)
    if (size > limit) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** Cuts a text to a number of characters. */
export function cutCharacters(text: string, maxLength: number): string {
  return isLongerThan(text, maxLength) ? cut(text, maxLength, countCharacters) : text
}

const encoder = new TextEncoder()
const byteLength = (text: string): number => encoder.encode(text).length

/** Cuts a text to a number of bytes of UTF-8. */
export function cutBytes(text: string, maxBytes: number): string {
  return byteLength(text) > maxBytes ? cut(text, maxBytes, byteLength) : text
}
