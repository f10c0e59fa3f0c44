export interface TextPart {
  text: string
  /** A checked address where the text is a link. */
  href: string | null
}

const MAX_LINK_LENGTH = 2048
const SCHEME = /https?:\/\//gi
// An address ends at a blank, a control, a quote or bracket that never stands in one, or an invisible mark of direction.
const END = /[\s\p{Cc}\p{Cf}<>"`]/u
const WORD = /[\p{L}\p{N}_]/u
const TRAILING = ".,;:!?'*_~…"
const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** Takes a plain text apart into words and web addresses. One pass; everything else but http(s) stays text. */
export function findLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let start = 0
  SCHEME.lastIndex = 0
  for (let match = SCHEME.exec(text); match; match = SCHEME.exec(text)) {
    const from = match.index
    const to = endOfAddress(text, SCHEME.lastIndex)
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

function endOfAddress(text: string, from: number): number {
  let end = from
  const open: Record<string, number> = { '(': 0, '[': 0, '{': 0 }
  for (; end < text.length && !END.test(text.charAt(end)); end += 1) {
    const character = text.charAt(end)
    const opening = CLOSING[character]
    if (character in open) open[character] = (open[character] ?? 0) + 1
    // A bracket that closes what was opened before the address belongs to the sentence around it.
    else if (opening && (open[opening] = (open[opening] ?? 0) - 1) < 0) break
  }
  while (end > from && TRAILING.includes(text.charAt(end - 1))) end -= 1
  return end
}

/** The address in its one form, null where it is no plain web address. */
export function parseWebUrl(address: string): string | null {
  if (address.length > MAX_LINK_LENGTH) return null
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (url.username !== '' || url.password !== '' || url.href.length > MAX_LINK_LENGTH) return null
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
}

/** Cuts parts after so many characters of text; a link that is cut keeps its whole address. */
export function cutParts(parts: readonly TextPart[], length: number): { head: TextPart[]; rest: TextPart[] } {
  const head: TextPart[] = []
  const rest: TextPart[] = []
  let left = length
  for (const part of parts) {
    const kept = part.text.slice(0, left)
    const dropped = part.text.slice(left)
    left -= kept.length
    if (kept !== '') head.push({ ...part, text: kept })
    if (dropped !== '') rest.push({ ...part, text: dropped })
  }
  return { head, rest }
}
