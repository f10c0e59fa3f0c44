import MarkdownIt, { type Env, type StateInline, type Token } from 'markdown-it'
import { hideDirection, withoutDirection } from './direction.ts'
import { parseWebUrl, readUrl } from './find-links.ts'
import { namesOtherHost } from './link-label.ts'
import { linkUrls } from './short-text.ts'
import { type MarkdownNode, type Tag, textOf } from './tree.ts'

/** Texts beyond these limits are shown as plain text. */
const MAX_LENGTH = 20_000
const MAX_NESTING = 16
/** The parser takes quadratic time to match brackets. */
const MAX_BRACKETS = 500

/** Without indented code, underlined headings, link definitions, tables and HTML: they change unformatted texts. */
const BLOCKS = ['blockquote', 'fence', 'heading', 'hr', 'list', 'paragraph']
const INLINES = ['autolink', 'backticks', 'emphasis', 'entity', 'escape', 'image', 'link', 'newline', 'strikethrough']

const parser = new MarkdownIt('zero', { maxNesting: MAX_NESTING }).enable([...BLOCKS, ...INLINES])
parser.inline.ruler2.enable(['balance_pairs', 'emphasis', 'strikethrough', 'fragments_join'])
parser.inline.ruler.before('escape', 'url', linkUrl)

const SCHEME = /https?$/i
const MAX_SCHEME = 5

interface ParseEnv extends Env {
  /** End of a text that looked like a URL, so that its parts are not tried again. */
  noUrlBefore?: number
}

/** Inline rule: links a URL in the text. It runs at the colon, because the parser skips letters. */
function linkUrl(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  const env = state.env as ParseEnv
  if (silent || state.linkLevel > 0 || !src.startsWith('://', pos) || pos < (env.noUrlBefore ?? 0)) return false
  const scheme = SCHEME.exec(state.pending.slice(-MAX_SCHEME))?.[0]
  if (!scheme) return false
  const start = pos - scheme.length
  const { end, href } = readUrl(src, start)
  if (href === null) {
    env.noUrlBefore = end
    return false
  }
  state.pending = state.pending.slice(0, -scheme.length)
  state.push('link_open', 'a', 1).attrs = [['href', href]]
  state.push('text', '', 0).content = src.slice(start, end)
  state.push('link_close', 'a', -1).info = 'url'
  state.pos = end
  return true
}

interface ParseOptions {
  /** Leaves fenced code as it was written, for syntax highlighting. Apply `hideDirection` when it is shown. */
  hasRawFences?: boolean
}

/**
 * Parses a subset of CommonMark: paragraphs, headings (from h3), lists, quotes, rules, fenced code, emphasis, strikethrough,
 * inline code and links. Line breaks in paragraphs stay. Images become links, so that reading a text sends no request to
 * another site. Text without any markup is one paragraph, character by character.
 */
export function parseMarkdown(text: string, options: ParseOptions = {}): MarkdownNode[] {
  if (text.trim() === '') return []
  // Not even the links: finding them would take seconds.
  if (text.length > MAX_LENGTH) return [['p', [withoutDirection(text)]]]
  if (countBrackets(text) > MAX_BRACKETS) return plainParagraph(text)
  const tokens = parser.parse(text, {})
  if (isTooDeep(tokens) || isUnformatted(text, tokens)) return plainParagraph(text)
  return buildTree(tokens, options)
}

function countBrackets(text: string): number {
  let count = 0
  for (let i = text.indexOf('['); i >= 0; i = text.indexOf('[', i + 1)) count += 1
  return count
}

const plainParagraph = (text: string): MarkdownNode[] => [['p', linkUrls(text)]]

/** The parser drops what is nested deeper than its limit. */
const isTooDeep = (tokens: readonly Token[]) => tokens.some(({ level }) => level >= MAX_NESTING - 1)

const UNFORMATTED = new Set(['paragraph_open', 'paragraph_close', 'inline', 'text', 'softbreak'])

/** Whether the tokens are paragraphs of exactly this text: without markup, escapes and character references. */
function isUnformatted(text: string, tokens: readonly Token[]): boolean {
  let content = ''
  for (const token of tokens) {
    if (!UNFORMATTED.has(token.type)) return false
    for (const child of token.children ?? []) {
      const isUrl = child.type === 'link_open' || (child.type === 'link_close' && child.info === 'url')
      if (!isUrl && !UNFORMATTED.has(child.type)) return false
      content += child.content
    }
  }
  return content.replaceAll(/\s/g, '') === text.replaceAll(/\s/g, '')
}

/** A character that is not blank. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The headings around a text are h1 and h2. */
const PAGE_HEADING = 2
const MAX_HEADING = 6

type OpenElement = [tag: Tag | null, children: MarkdownNode[], value?: string]

interface Builder extends ParseOptions {
  /** Whether the elements that are open include a link. */
  isInLink: () => boolean
}

function buildTree(tokens: readonly Token[], options: ParseOptions): MarkdownNode[] {
  const root: OpenElement = [null, []]
  const open = [root]
  const builder = { ...options, isInLink: () => open.some(([tag]) => tag === 'a') }
  let heading = PAGE_HEADING
  const add = (node: MarkdownNode) => open.at(-1)?.[1].push(node)
  const visit = (token: Token) => {
    if (token.children && token.type === 'inline') return token.children.forEach(visit)
    if (token.type === 'heading_open') {
      // Levels are not skipped, so that the outline of the page is correct.
      heading = Math.min(Number(token.tag.slice(1)) + PAGE_HEADING, heading + 1, MAX_HEADING)
      return void open.push([`h${heading}` as Tag, []])
    }
    if (token.nesting === 1) return void open.push(openElement(token, builder))
    if (token.nesting === -1) return closeElement(open.pop() ?? root).forEach(add)
    for (const node of leafNodes(token, builder)) add(node)
  }
  tokens.forEach(visit)
  return root[1]
}

function openElement(token: Token, { isInLink }: Builder): OpenElement {
  // The paragraphs of a list without blank lines have no element.
  if (token.hidden) return [null, []]
  if (token.type === 'link_open') {
    const href = isInLink() ? null : parseWebUrl(String(token.attrGet('href')))
    return href === null ? [null, []] : ['a', [], href]
  }
  if (token.type === 'ordered_list_open') return ['ol', [], String(token.attrGet('start') ?? 1)]
  return [token.tag as Tag, []]
}

function closeElement([tag, children, value]: OpenElement): MarkdownNode[] {
  if (tag === null) return children
  if (tag === 'a' && value !== undefined) return [createLink(children, value)]
  return [value === undefined ? [tag, children] : [tag, children, value]]
}

/** A link that shows where it leads: its URL if it has no text, its host if its text names another one. */
function createLink(children: readonly MarkdownNode[], href: string): MarkdownNode {
  const text = textOf(children)
  if (!VISIBLE.test(text)) return ['a', [href], href]
  return ['a', namesOtherHost(text, href) ? [...children, ` (${new URL(href).host})`] : children, href]
}

function leafNodes(token: Token, { hasRawFences = false, isInLink }: Builder): MarkdownNode[] {
  const { type, content } = token
  if (type === 'softbreak' || type === 'hardbreak') return ['\n']
  if (type === 'hr') return [['hr', []]]
  if (type === 'code_inline') return [['code', hideDirection(content)]]
  if (type === 'fence') {
    const code = content.replace(/\n$/, '')
    return [['pre', hasRawFences ? [code] : hideDirection(code), token.info.trim().split(/\s/)[0] ?? '']]
  }
  if (type === 'image') return imageNodes(token, isInLink())
  return content === '' ? [] : [withoutDirection(content)]
}

/** A link to an image, or only the image's text inside of another link. */
function imageNodes(token: Token, isInLink: boolean): MarkdownNode[] {
  const href = parseWebUrl(String(token.attrGet('src')))
  const text = textOf(buildTree(token.children ?? [], {}))
  if (href !== null && !isInLink) return [createLink(text === '' ? [] : [text], href)]
  const shown = text || (href ?? '')
  return shown === '' ? [] : [shown]
}
