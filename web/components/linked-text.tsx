import type { TextPart } from './find-links.ts'

export const linkRel = 'noopener noreferrer nofollow ugc'

/** Renders text with external links, marked as user content for search engines. */
export function LinkedText({ parts }: { parts: readonly TextPart[] }) {
  return Array.from(parts.entries(), ([index, { text, href }]) =>
    href === null ? (
      <span key={index}>{text}</span>
    ) : (
      <a key={index} href={href} target="_blank" rel={linkRel} className="text-accent underline underline-offset-2">
        {text}
      </a>
    ),
  )
}
