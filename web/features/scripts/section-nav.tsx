import { Link } from 'react-router'
import { SECTIONS, type SectionId, useSectionInView } from './use-section-in-view.ts'

const labels: Record<SectionId, string> = { overview: 'Overview', preview: 'Preview', ratings: 'Ratings' }

/** Stays in sight below the site's header and marks where the reader is. */
export function SectionNav() {
  const inView = useSectionInView()
  return (
    <nav
      aria-label="Sections"
      className="sticky top-14 z-20 -mx-4 border-b border-line bg-surface-0 px-4 sm:mx-0 sm:px-0"
    >
      <ul className="flex gap-1">
        {SECTIONS.map((id) => (
          <li key={id}>
            <Link
              to={{ hash: id }}
              replace
              aria-current={inView === id ? 'true' : undefined}
              className="-mb-px flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm font-medium text-muted hover:text-text aria-[current]:border-accent aria-[current]:text-text"
            >
              {labels[id]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
