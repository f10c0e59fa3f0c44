import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { Link } from '#web/router/router.tsx'

interface Props {
  page: number
  pages: number
  hrefOf: (page: number) => string
}

const step =
  'inline-flex h-11 min-w-11 items-center justify-center gap-1 rounded-sm px-2 tabular-nums sm:h-10 sm:min-w-10'
const link = `${step} text-muted hover:bg-surface-2 hover:text-text`

/** Page numbers as links. Renders nothing for a single page. */
export function Pagination({ page, pages, hrefOf }: Props) {
  if (pages < 2) return null
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-center gap-x-1 gap-y-2">
      <Neighbor to={page > 1 ? hrefOf(Math.min(page - 1, pages)) : undefined} rel="prev">
        <ChevronLeft aria-hidden className="size-4" />
        Previous
      </Neighbor>
      <ul className="flex flex-wrap justify-center max-sm:order-first max-sm:w-full sm:gap-1">
        {pageWindow(page, pages).map((entry, index) => (
          <li key={entry === 'gap' ? `gap-${index}` : entry}>
            <Step step={entry} isCurrent={entry === page} hrefOf={hrefOf} />
          </li>
        ))}
      </ul>
      <Neighbor to={page < pages ? hrefOf(page + 1) : undefined} rel="next">
        Next
        <ChevronRight aria-hidden className="size-4" />
      </Neighbor>
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

/** Link to the previous or next page. Invisible if there is none, so that the numbers do not move. */
function Neighbor({ to, rel, children }: { to: string | undefined; rel: 'prev' | 'next'; children: ReactNode }) {
  if (to === undefined) return <span className={`${step} invisible px-3`}>{children}</span>
  return (
    <Link to={to} rel={rel} className={`${link} px-3`}>
      {children}
    </Link>
  )
}

/** A page number, or 'gap' for an ellipsis. */
type PageStep = number | 'gap'

/**
 * The pages to show: the first, the last, and the current one with `reach` neighbors on each side. A gap hides at least
 * two pages, because a single page takes no more space than the ellipsis.
 */
export function pageWindow(page: number, pages: number, reach = 1): PageStep[] {
  const current = Math.min(Math.max(page, 1), Math.max(pages, 1))
  const from = Math.max(2, Math.min(current - reach, pages - 2 * reach - 2))
  const to = Math.min(pages - 1, Math.max(current + reach, 2 * reach + 3))
  const steps: PageStep[] = [1]
  if (from === 3) steps.push(2)
  else if (from > 3) steps.push('gap')
  for (let between = from; between <= to; between++) steps.push(between)
  if (to === pages - 2) steps.push(pages - 1)
  else if (to < pages - 2) steps.push('gap')
  if (pages > 1) steps.push(pages)
  return steps
}
