import {
  findLinks,
  hideDirection,
  type MarkdownNode,
  parseMarkdown,
  parseWebUrl,
  plainText,
} from '@scriptyard/markdown'
import { cutText } from '#web/lib/text.ts'
import type { RichNode } from './rich-text.tsx'

const LUAU = new Set(['luau', 'lua'])
/** Maximum number of characters of highlighted code per text. The rest stays plain. */
const MAX_HIGHLIGHTED = 5000

export interface Formatted {
  nodes: RichNode[]
  /** The start of a long text without its markup; null for a short one. */
  excerpt: RichNode[] | null
  /** The start of the text in one line without its markup, for search engines. */
  description: string
}

const EXCERPT_LENGTH = 260
const DESCRIPTION_LENGTH = 160

/** Formats Markdown for a page: see `renderMarkdown`. */
export async function formatMarkdown(text: string): Promise<Formatted> {
  const plain = plainText(text)
  const { head, rest } = cutText(plain, EXCERPT_LENGTH)
  return {
    nodes: await renderMarkdown(text),
    excerpt: rest === '' ? null : [['p', [...cutLinks(plain, head.length), '…']]],
    description: cutText(plain.replaceAll(/\s+/g, ' ').trim(), DESCRIPTION_LENGTH).head,
  }
}

/** The first characters of plain text with links. A link that is cut keeps its whole URL. */
function cutLinks(text: string, length: number): RichNode[] {
  let left = length
  return findLinks(text).flatMap(({ text: part, href }): RichNode[] => {
    const shown = part.slice(0, left)
    left -= shown.length
    if (shown === '') return []
    return [href === null ? shown : ['a', [shown], href]]
  })
}

/** Parses Markdown and highlights its Luau. Loads the parser, so import it lazily; the grammar loads when there is Luau. */
export async function renderMarkdown(text: string): Promise<RichNode[]> {
  const nodes = parseMarkdown(text, { hasRawFences: true })
  if (!nodes.some(hasLuau)) return nodes.map((node) => mapCode(node, hideDirection))
  const { tokenizeLuau } = await import('./luau-tokens.ts')
  let left = MAX_HIGHLIGHTED
  const highlight = (code: string): RichNode[] => {
    left -= code.length
    if (left < 0) return hideDirection(code)
    return tokenizeLuau(code).flatMap((line, i) => [
      ...(i > 0 ? ['\n'] : []),
      ...line.flatMap(([kind, part]): RichNode[] =>
        kind === 'text' ? hideDirection(part) : [['span', hideDirection(part), kind]],
      ),
    ])
  }
  return nodes.map((node) => mapCode(node, highlight))
}

const isLuau = (node: MarkdownNode) => typeof node !== 'string' && node[0] === 'pre' && LUAU.has(node[2] ?? '')
const hasLuau = (node: MarkdownNode): boolean => isLuau(node) || (typeof node !== 'string' && node[1].some(hasLuau))

function mapCode(node: MarkdownNode, highlight: (code: string) => RichNode[]): RichNode {
  if (typeof node === 'string') return node
  const [tag, children, value] = node
  if (tag === 'pre') {
    const code = children.join('')
    return ['pre', [['code', isLuau(node) ? highlight(code) : hideDirection(code)]]]
  }
  const content = children.map((child) => mapCode(child, highlight))
  return value === undefined ? [tag, content] : [tag, content, value]
}

/** The URL if it passes the checks for links in member text, else null. */
export const safeUrl = (url: string | null): string | null => url && parseWebUrl(url)
