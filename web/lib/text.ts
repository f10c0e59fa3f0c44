interface CutText {
  head: string
  rest: string
}

/** Splits a text after a number of characters. Counts code points, so that no emoji is cut in half. */
export function cutText(text: string, characters: number): CutText {
  if (text.length <= characters) return { head: text, rest: '' }
  let end = 0
  for (let count = 0; count < characters && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return { head: text.slice(0, end), rest: text.slice(end) }
}

const encoder = new TextEncoder()

/** Size in bytes as UTF-8. */
export const utf8Length = (text: string): number => encoder.encode(text).length
