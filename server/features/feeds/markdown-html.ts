import { type MarkdownNode, parseMarkdown } from '@scriptyard/markdown'
import { escapeXml } from '#server/platform/http/xml.ts'

/** Member text as HTML for feed readers: the same few elements as on the site, everything else escaped. */
export const markdownToHtml = (markdown: string): string => writeAll(parseMarkdown(markdown), false)

const writeAll = (nodes: readonly MarkdownNode[], isCode: boolean): string =>
  nodes.map((node) => write(node, isCode)).join('')

function write(node: MarkdownNode, isCode: boolean): string {
  if (typeof node === 'string') {
    const text = escapeXml(node)
    return isCode ? text : text.replaceAll('\n', '<br>')
  }
  const [tag, children, value = ''] = node
  if (tag === 'hr') return '<hr>'
  if (tag === 'pre') return `<pre><code>${writeAll(children, true)}</code></pre>`
  const content = writeAll(children, isCode)
  if (tag === 'a') return `<a href="${escapeXml(value)}" rel="nofollow ugc">${content}</a>`
  if (tag === 'ol' && value !== '1') return `<ol start="${escapeXml(value)}">${content}</ol>`
  return `<${tag}>${content}</${tag}>`
}
