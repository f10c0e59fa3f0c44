/** The elements that Markdown can produce. There is no other way into a page: raw HTML is text. */
export type Tag =
  | 'p'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'pre'
  | 'hr'
  | 'strong'
  | 'em'
  | 's'
  | 'code'
  | 'a'
  | 'mark'

export type MarkdownNode = string | MarkdownElement

/**
 * An element. `value` is the URL of `a` (http or https), the first number of `ol`, and the language of `pre`. `mark` holds the
 * code point of a text-direction character in code. `a` is in no other `a` and has visible text.
 */
export type MarkdownElement = readonly [tag: Tag, children: readonly MarkdownNode[], value?: string]

/** The text of nodes, without any separators. */
export const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node[1]))).join('')
