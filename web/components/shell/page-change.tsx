import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * Says a new page's title to those who do not see it, and lets the keyboard begin at its top. A whole page load does
 * both by itself; a change within the page does not.
 */
export function PageChange() {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    setSaid(document.title)
    // What had the focus may be gone with the old page, and what a page focuses by itself keeps it.
    if (!document.activeElement?.closest('main')) document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <output aria-live="polite" className="sr-only">
      {said}
    </output>
  )
}
