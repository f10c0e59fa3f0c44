import type { MarkdownNode } from './tree.ts'

/** Characters that reorder the text around them. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g

export const withoutDirection = (text: string): string => text.replaceAll(DIRECTION, '')

/** Code with the characters that reorder text shown as their code points. */
export function hideDirection(code: string): MarkdownNode[] {
  const nodes: MarkdownNode[] = []
  let start = 0
  for (const { 0: character, index } of code.matchAll(DIRECTION)) {
    if (index > start) nodes.push(code.slice(start, index))
    nodes.push(['mark', [`U+${character.charCodeAt(0).toString(16).toUpperCase()}`]])
    start = index + 1
  }
  if (start < code.length) nodes.push(code.slice(start))
  return nodes
}
