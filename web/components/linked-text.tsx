import type { TextPart } from './find-links.ts'

export const linkRel = 'noopener noreferrer nofollow ugc'

/** Words and their addresses as links, which lead out of the site and say so to search engines. */
export function LinkedText({ parts }: { parts: readonly TextPart[] }) {
  return Array.from(parts.entries(), ([place, { text, href }]) =>
    href === null ? (
      <span key={place}>{text}</span>
    ) : (
      <a key={place} href={href} target="_blank" rel={linkRel} className="text-accent underline underline-offset-2">
        {text}
      </a>
    ),
  )
}
