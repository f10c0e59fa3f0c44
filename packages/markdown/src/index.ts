export { findLinks, parseWebUrl } from './find-links.ts'
export { hideDirection, parseMarkdown } from './parse.ts'
export { plainText } from './plain-text.ts'
export type { MarkdownElement, MarkdownNode } from './tree.ts'
