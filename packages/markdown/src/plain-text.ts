import { parseMarkdown } from './parse.ts'
import type { MarkdownElement, MarkdownNode } from './tree.ts'

/** The text of Markdown without its markup. Text without markup stays as it is, except for text-direction characters. */
export function plainText(markdown: string): string {
  return joinBlocks(parseMarkdown(markdown), '\n\n')
}

const BLOCKS: ReadonlySet<string> = new Set(['p', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'blockquote', 'pre', 'hr'])
const isBlock = (node: MarkdownNode): node is MarkdownElement => typeof node !== 'string' && BLOCKS.has(node[0])

/** Joins blocks with `separator`, and the inline nodes between them without any. */
function joinBlocks(nodes: readonly MarkdownNode[], separator: string): string {
  const parts: string[] = []
  let isInline = false
  for (const node of nodes) {
    const text = typeof node === 'string' ? node : textOf(node)
    if (!isBlock(node) && isInline) parts.push((parts.pop() ?? '') + text)
    else if (text !== '') parts.push(text)
    isInline = !isBlock(node)
  }
  return parts.join(separator)
}

function textOf([tag, children, value]: MarkdownElement): string {
  if (tag !== 'ul' && tag !== 'ol') return joinBlocks(children, '\n')
  const first = Number(value ?? 1)
  return children.map((item, i) => `${tag === 'ul' ? '•' : `${first + i}.`} ${joinBlocks([item], '\n')}`).join('\n')
}
