import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pageWindow } from './page-window.ts'

interface Props {
  page: number
  pages: number
  hrefOf: (page: number) => string
}

const step =
  'inline-flex h-11 min-w-11 items-center justify-center gap-1 rounded-sm px-2 tabular-nums sm:h-10 sm:min-w-10'
const link = `${step} text-muted hover:bg-surface-2 hover:text-text`

/** Numbered pages as real links. Shows nothing while there is only one page. */
export function Pagination({ page, pages, hrefOf }: Props) {
  if (pages < 2) return null
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-center gap-x-1 gap-y-2">
      <Neighbour to={page > 1 ? hrefOf(Math.min(page - 1, pages)) : undefined} rel="prev">
        <ChevronLeft aria-hidden className="size-4" />
        Previous
      </Neighbour>
      <ul className="flex flex-wrap justify-center max-sm:order-first max-sm:w-full sm:gap-1">
        {pageWindow(page, pages).map((each, index) => (
          // The gaps are told apart by what stands before them.
          <li key={each === 'gap' ? `gap-${index}` : each}>
            <Step step={each} isCurrent={each === page} hrefOf={hrefOf} />
          </li>
        ))}
      </ul>
      <Neighbour to={page < pages ? hrefOf(page + 1) : undefined} rel="next">
        Next
        <ChevronRight aria-hidden className="size-4" />
      </Neighbour>
    </nav>
  )
}

function Step({
  step: target,
  isCurrent,
  hrefOf,
}: {
  step: number | 'gap'
  isCurrent: boolean
  hrefOf: Props['hrefOf']
}) {
  if (target === 'gap') {
    return (
      <span aria-hidden className={`${step} text-muted`}>
        …
      </span>
    )
  }
  return (
    <Link
      to={hrefOf(target)}
      aria-label={`Page ${target}`}
      aria-current={isCurrent ? 'page' : undefined}
      className={isCurrent ? `${step} bg-accent-strong font-semibold text-on-accent` : link}
    >
      {target}
    </Link>
  )
}

/** Keeps its place where there is no such page, so that the numbers stay where they are. */
function Neighbour({ to, rel, children }: { to: string | undefined; rel: 'prev' | 'next'; children: ReactNode }) {
  if (to === undefined) return <span className={`${step} invisible px-3`}>{children}</span>
  return (
    <Link to={to} rel={rel} className={`${link} px-3`}>
      {children}
    </Link>
  )
}
