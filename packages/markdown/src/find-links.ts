/** A piece of plain text. The texts of all parts together are the whole text. */
export interface TextPart {
  text: string
  /** The normalized URL if the text is a link. */
  href: string | null
}

const MAX_LINK_LENGTH = 2048
const SCHEME = /https?:\/\//iy
/** Latin letters and digits belong to the word of a scheme. Other scripts may touch it: Chinese has no spaces between words. */
const IN_WORD = /[\p{Script=Latin}\p{Nd}_]/u
/** A character that a label of a host may have: not the punctuation of any script, and none of the full-width characters. */
const LABEL = String.raw`(?:[-\w]|(?![\0-\x7F\uFF00-\uFFEF])[\p{L}\p{M}\p{N}\p{S}])+`
const HOST = new RegExp(String.raw`\[[\da-fA-F:.]+\]|${LABEL}(?:\.${LABEL})*`, 'uy')
const PORT = /\.?(?::\d+)?(?=[/?#])|:\d+/y
const LATIN = /^[\p{Script=Latin}\p{M}\d-]+/u
const END = /[\s\p{Cc}\p{Cf}<>"`]/u
/** Quotes (except for the apostrophe), brackets, and the wide punctuation of Chinese and Japanese. */
const WIDE_END =
  /[\u3000-\u303F\uFE10-\uFE6F\uFF00-\uFF65\uFFE0-\uFFEF](?<=[\p{P}\p{S}])|(?![\0-\x7F’])[\p{Pi}\p{Pf}\p{Ps}\p{Pe}]/u
const TRAILING = /[.,;:!?'*_~]|(?![\0-\x7F])\p{P}/u
const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** Splits plain text into text and http(s) links, in one pass. */
export function findLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  const schemes = new RegExp(SCHEME.source, 'gi')
  let start = 0
  for (let match = schemes.exec(text); match; match = schemes.exec(text)) {
    const { end, href } = readUrl(text, match.index)
    schemes.lastIndex = Math.max(end, schemes.lastIndex)
    if (href === null) continue
    if (match.index > start) parts.push({ text: text.slice(start, match.index), href: null })
    parts.push({ text: text.slice(match.index, end), href })
    start = end
  }
  if (start < text.length) parts.push({ text: text.slice(start), href: null })
  return parts
}

/** The URL in a text that starts with the scheme at `start`: its end, and what it links to, or null. */
export function readUrl(text: string, start: number): { end: number; href: string | null } {
  const from = start + lengthAt(SCHEME, text, start)
  const end = endOfUrl(text, from)
  const isInWord = start > 0 && IN_WORD.test(text.charAt(start - 1))
  const isUrl = from > start && end > from && !isInWord && !hasCredentials(text, from)
  return { end, href: isUrl ? parseWebUrl(text.slice(start, end)) : null }
}

function lengthAt(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0].length ?? 0
}

/** Whether the authority at `from` has a user name, which shows another host than the one that browsers would open. */
function hasCredentials(text: string, from: number): boolean {
  for (let i = from; i < text.length; i += 1) {
    const character = text.charAt(i)
    if (character === '@') return true
    if ('/?#'.includes(character) || isEnd(character)) return false
  }
  return false
}

const isEnd = (character: string) => END.test(character) || WIDE_END.test(character)

/** Index of the character after a URL whose scheme ends before `from`; `from` itself if there is no host. */
function endOfUrl(text: string, from: number): number {
  const host = text.slice(from, from + lengthAt(HOST, text, from))
  const domain = host.lastIndexOf('.') + 1
  const latin = host.startsWith('[') ? 0 : (LATIN.exec(host.slice(domain))?.[0].length ?? 0)
  // The script of a top-level domain does not change within it, so text in another script follows the host.
  const shown = latin > 0 ? host.slice(0, domain + latin) : host
  const end = from + shown.length
  if (shown !== host) return from + trim(shown, /[-_]/)
  // A reference in the host.
  if (shown === '' || text.charAt(end) === '%') return from
  const pathStart = end + lengthAt(PORT, text, end)
  if (/[/?#]/.test(text.charAt(pathStart))) return endOfPath(text, pathStart)
  return pathStart > end ? pathStart : from + trim(shown, /[-_]/)
}

function endOfPath(text: string, from: number): number {
  let end = from
  const open: Record<string, number> = { '(': 0, '[': 0, '{': 0 }
  for (; end < text.length; end += 1) {
    const character = text.charAt(end)
    if (isEnd(character)) break
    const opening = CLOSING[character]
    if (character in open) open[character] = (open[character] ?? 0) + 1
    // A closing bracket whose opening one precedes the URL belongs to the surrounding sentence.
    else if (opening && (open[opening] = (open[opening] ?? 0) - 1) < 0) break
  }
  return from + trim(text.slice(from, end), TRAILING)
}

/** Length of a text without the trailing characters that a pattern matches. */
function trim(text: string, trailing: RegExp): number {
  let end = text.length
  while (end > 0 && trailing.test(text.charAt(end - 1))) end -= 1
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
