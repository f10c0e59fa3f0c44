import { useEffect } from 'react'
import { useNavigate } from 'react-router'

const KEY = '/'
const BOX = 'search'
const FRONT_PAGE = '/'

/** `/` leads into the search box: the page's own, else the front page's. */
export function useSearchKey(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const focusBox = () => {
      const box = document.getElementById(BOX)
      box?.focus()
      return box !== null
    }
    const find = async () => {
      if (focusBox()) return
      await navigate(FRONT_PAGE, { flushSync: true })
      focusBox()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== KEY || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || document.querySelector('dialog:modal')) return
      event.preventDefault()
      void find()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
}
