import type { ReactNode } from 'react'
import { Link } from '#web/router/router.tsx'

export function tagPath(name: string): string {
  return `/?${new URLSearchParams({ tags: name })}`
}

/** A tag that links to its search results. `children` follow the name, such as a count. */
export function TagChip({
  name,
  children,
  className = '',
}: {
  name: string
  children?: ReactNode
  className?: string
}) {
  return (
    <Link
      to={tagPath(name)}
      className={`inline-flex max-w-full min-w-0 items-center rounded-full bg-surface-2 px-2 text-muted hover:bg-surface-3 hover:text-text ${className}`}
    >
      <span aria-hidden>#</span>
      <bdi className="truncate">{name}</bdi>
      {children}
    </Link>
  )
}
