/** A piece of plain text. The texts of all parts together are the whole text. */
export interface TextPart {
  text: string
  /** The normalized URL if the text is a link. */
  href: string | null
}

const MAX_LINK_LENGTH = 2048
const SCHEME = /https?:\/\//gi
const END = /[\s\p{Cc}\p{Cf}<>"`]/u
const WORD = /[\p{L}\p{N}_]/u
const TRAILING = ".,;:!?'*_~…"
const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** Splits plain text into text and http(s) links, in one pass. */
export function findLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let start = 0
  SCHEME.lastIndex = 0
  for (let match = SCHEME.exec(text); match; match = SCHEME.exec(text)) {
    const from = match.index
    const to = endOfUrl(text, SCHEME.lastIndex)
    SCHEME.lastIndex = to
    const href = from > 0 && WORD.test(text.charAt(from - 1)) ? null : parseWebUrl(text.slice(from, to))
    if (href === null) continue
    if (from > start) parts.push({ text: text.slice(start, from), href: null })
    parts.push({ text: text.slice(from, to), href })
    start = to
  }
  if (start < text.length) parts.push({ text: text.slice(start), href: null })
  return parts
}

/** Index of the character after a URL whose scheme ends before `from`. */
export function endOfUrl(text: string, from: number): number {
  let end = from
  const open: Record<string, number> = { '(': 0, '[': 0, '{': 0 }
  for (; end < text.length && !END.test(text.charAt(end)); end += 1) {
    const character = text.charAt(end)
    const opening = CLOSING[character]
    if (character in open) open[character] = (open[character] ?? 0) + 1
    // A closing bracket whose opening one precedes the URL belongs to the surrounding sentence.
    else if (opening && (open[opening] = (open[opening] ?? 0) - 1) < 0) break
  }
  while (end > from && TRAILING.includes(text.charAt(end - 1))) end -= 1
  return end
}

/** Normalizes an http(s) URL. Returns null for anything else, and for URLs with credentials. */
export function parseWebUrl(text: string): string | null {
  if (text.length > MAX_LINK_LENGTH) return null
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || url.href.length > MAX_LINK_LENGTH) return null
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
}
