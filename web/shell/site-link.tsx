import type { ReactNode } from 'react'
import type { SiteLink as Target } from '#contract/site.ts'
import { Link } from '#web/router/router.tsx'

interface Props {
  link: Target
  className: string
  onClick?: () => void
  children: ReactNode
}

/** A link that admins added: to another site, or to a page of this one. */
export function SiteLink({ link: { url }, children, ...rest }: Props) {
  if (url.startsWith('/')) {
    return (
      <Link to={url} {...rest}>
        {children}
      </Link>
    )
  }
  return (
    <a href={url} rel="noopener" {...rest}>
      {children}
    </a>
  )
}
