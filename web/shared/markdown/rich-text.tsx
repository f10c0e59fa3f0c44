import type { MarkdownElement } from '@scriptyard/markdown'
import { createElement, type ReactNode } from 'react'
import { Link } from '#web/router/router.tsx'

export const linkRel = 'noopener noreferrer nofollow ugc'

/** Text, or an element of Markdown, or a token of highlighted code with its kind. */
export type RichNode =
  | string
  | readonly [tag: MarkdownElement[0] | 'span', children: readonly RichNode[], value?: string | undefined]

/** Formatted text. The nodes come from `render-markdown.ts`, which pages load only on the server, or from `parseShortText`. */
export function RichText({ nodes, className = '' }: { nodes: readonly RichNode[]; className?: string }) {
  return (
    <div dir="auto" className={`rich-text ${className}`}>
      {nodes.map(toElement)}
    </div>
  )
}

function toElement(node: RichNode, key: number): ReactNode {
  if (typeof node === 'string') return node
  const [tag, children, value] = node
  // Only a mention is a path: links of Markdown have a scheme.
  if (tag === 'a' && value?.startsWith('/')) {
    return (
      <Link key={key} to={value} className="font-medium no-underline hover:underline">
        {children.map(toElement)}
      </Link>
    )
  }
  const props =
    tag === 'a'
      ? { href: value, target: '_blank', rel: linkRel }
      : tag === 'ol'
        ? { start: value }
        : tag === 'span'
          ? { className: `text-code-${value}` }
          : {}
  return createElement(tag, { key, ...props }, ...children.map(toElement))
}
