import type { Tag } from '#contract/catalogue.ts'
import { Link } from 'react-router'

/** Each tag searches the catalogue. */
export function TagLinks({ tags }: { tags: readonly Tag[] }) {
  if (tags.length === 0) return null
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-2">
      {tags.map((tag) => (
        <li key={tag.id} className="max-w-full">
          <Link
            to={`/?tags=${encodeURIComponent(tag.name)}`}
            className="inline-flex min-h-11 max-w-full items-center rounded-full border border-line bg-surface-1 px-3 text-sm text-muted hover:bg-surface-3 hover:text-text sm:min-h-8"
          >
            <span aria-hidden>#</span>
            <bdi className="truncate">{tag.name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
