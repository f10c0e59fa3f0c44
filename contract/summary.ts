import { MAX_SUMMARY_LENGTH } from './limits.ts'

/** Characters of a description that are searched for its first sentence. */
export const MAX_SUMMARY_SOURCE_LENGTH = 1000

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

const collapse = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

const LIST_ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+/
const HEADING = /^\s{0,3}#{1,6}\s+/
const FENCE = /^\s{0,3}(?:```|~~~)/
/** A blank line, a rule, or a row of a table. */
const NO_TEXT = /^[\s:*_=-]*(?:\||$)/

/** The text of a line of Markdown without its marks. Single marks, as in `_G`, stay. */
function plainLine(line: string): string {
  const text = line
    .replace(LIST_ITEM, '')
    .replace(/^[\s>]+/, '')
    .replace(HEADING, '')
    .replaceAll(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/(\*\*|~~)(?=\S)([^*~]*\S)\1/g, '$2')
    .replaceAll(/(^|[\s(])(__?|\*)(?=[^\s*_])([^*_]*[^\s*_])\2(?=$|[\s).,:;!?])/g, '$1$3')
    .replaceAll('`', '')
  return collapse(text)
}

/** The first paragraph of a description in plain text; a heading only if there is nothing else. */
function firstParagraph(description: string): string {
  const start = description.slice(0, MAX_SUMMARY_SOURCE_LENGTH)
  const lines: string[] = []
  let heading = ''
  let isCode = false
  for (const line of start.split(/\r\n?|\n/)) {
    const isFence = FENCE.test(line)
    if (isFence) isCode = !isCode
    const isText = !isFence && !isCode && !HEADING.test(line) && !NO_TEXT.test(line)
    const startsParagraph = !isText || LIST_ITEM.test(line)
    if (startsParagraph && lines.length > 0) break
    if (isText) lines.push(plainLine(line))
    else if (!isCode && HEADING.test(line)) heading ||= plainLine(line)
  }
  return collapse(lines.join(' ')) || heading || collapse(start)
}

/** A text cut to `MAX_SUMMARY_LENGTH` characters after a word, with an ellipsis. */
function cut(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= MAX_SUMMARY_LENGTH) return text
  const start = characters.slice(0, MAX_SUMMARY_LENGTH).join('')
  const end = start.lastIndexOf(' ')
  const whole = end > 0 ? start.slice(0, end) : characters.slice(0, MAX_SUMMARY_LENGTH - 1).join('')
  return `${whole.replace(/[\s,;:–—-]+$/, '')}…`
}

/** The summary of a script whose author wrote none: the first sentence of the description, in plain text. */
export function defaultSummary(description: string): string {
  const paragraph = firstParagraph(description)
  const [first] = sentences.segment(paragraph)
  return cut(first?.segment.trim() ?? paragraph)
}
