import { useEffect, useState } from 'react'
import { Link } from '#web/router/router.tsx'

const LABELS = {
  overview: 'Overview',
  behavior: 'Code check',
  preview: 'Preview',
  versions: 'Versions',
  ratings: 'Ratings',
  comments: 'Comments',
}
type SectionId = keyof typeof LABELS
const SECTIONS = Object.keys(LABELS) as SectionId[]

interface Props {
  versionCount: number
  hasComments: boolean
}

/** Sticky links to the sections, with the current one marked. */
export function SectionNav({ versionCount, hasComments }: Props) {
  const current = useCurrentSection()
  return (
    <nav
      aria-label="Sections"
      className="sticky top-14 z-20 -mx-4 border-b short:static border-line bg-surface-0 px-4 sm:mx-0 sm:px-0"
    >
      <ul className="flex gap-1 overflow-x-auto overflow-y-hidden">
        {SECTIONS.filter((id) => id !== 'comments' || hasComments).map((id) => (
          <li key={id}>
            <Link
              to={{ hash: id }}
              replace
              aria-current={current === id ? 'true' : undefined}
              className="flex min-h-11 items-center underline-tab px-2 text-sm font-medium whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2 sm:px-3"
            >
              {LABELS[id]}
              {id === 'versions' && <span className="ml-1.5 tabular-nums">{versionCount}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Distance from the top of the viewport in pixels, below the sticky header and the section links. */
const READING_LINE = 140

/** The last section that starts above the reading line. At the end of the page, the last section. */
function useCurrentSection(): SectionId {
  const [current, setCurrent] = useState<SectionId>('overview')
  useEffect(() => {
    let frame = 0
    const update = () => {
      frame = 0
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      const shown = SECTIONS.flatMap((id) => {
        const section = document.getElementById(id)
        return section ? [{ id, top: section.getBoundingClientRect().top }] : []
      })
      const passed = isAtEnd && window.scrollY > 0 ? shown : shown.filter(({ top }) => top <= READING_LINE)
      setCurrent(passed.at(-1)?.id ?? 'overview')
    }
    const schedule = () => {
      frame ||= requestAnimationFrame(update)
    }
    schedule()
    window.addEventListener('scroll', schedule, { passive: true })
    window.addEventListener('resize', schedule)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', schedule)
      window.removeEventListener('resize', schedule)
    }
  }, [])
  return current
}
