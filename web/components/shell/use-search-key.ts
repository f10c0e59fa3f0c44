import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

const KEY = '/'
const BOX = 'search'
const FRONT_PAGE = '/'

/** `/` leads into the search box: the page's own, else the front page's. */
export function useSearchKey(): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const isOnTheWay = useRef(false)

  useEffect(() => {
    if (!isOnTheWay.current || pathname !== FRONT_PAGE) return
    isOnTheWay.current = false
    document.getElementById(BOX)?.focus()
  }, [pathname])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== KEY || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || document.querySelector('dialog:modal')) return
      event.preventDefault()
      const box = document.getElementById(BOX)
      box?.focus()
      if (box) return
      isOnTheWay.current = true
      void navigate(FRONT_PAGE)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
}
