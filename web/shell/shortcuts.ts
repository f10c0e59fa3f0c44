import { useEffect, useEffectEvent } from 'react'
import { HEADER_SEARCH_ID } from './header-search.tsx'

type Keys = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** What keys do on every page: focus the search field, list the shortcuts, or press the button that declares a letter. */
export function shortcutOf({ key, altKey, ctrlKey, metaKey, shiftKey }: Keys): string | undefined {
  if (altKey) return undefined
  if (ctrlKey || metaKey) return key === 'k' ? 'search' : undefined
  if (key === '/') return 'search'
  if (key === '?') return 'help'
  return /^[a-z]$/i.test(key) && !shiftKey ? key.toUpperCase() : undefined
}

/**
 * Handles the shortcuts of all pages. A button of a page has one if its `aria-keyshortcuts` is a letter. Single keys do
 * nothing in text fields and menus, or if the visitor has turned them off.
 */
export function useShortcuts(openHelp: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const shortcut = shortcutOf(event)
    if (!shortcut || event.defaultPrevented || event.repeat || document.querySelector('dialog:modal')) return
    const isSingleKey = !event.ctrlKey && !event.metaKey
    if (isSingleKey && (isTyping(event.target) || document.querySelector(':popover-open') || !readSingleKeys())) return
    if (shortcut === 'search') document.getElementById(HEADER_SEARCH_ID)?.focus()
    else if (shortcut === 'help') openHelp()
    else if (!pressButton(shortcut)) return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
}

/** Presses the visible one of the buttons with a shortcut, as a click does. */
function pressButton(letter: string): boolean {
  const buttons = document.querySelectorAll<HTMLElement>(`main [aria-keyshortcuts="${letter}"]`)
  const button = [...buttons].find((each) => each.checkVisibility())
  button?.click()
  return button !== undefined
}

const KEY = 'single_keys'

/** Whether single keys are shortcuts. People who dictate text turn them off, because each spoken letter would press one. */
export function readSingleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function storeSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Storage is blocked: the shortcuts stay on.
  }
}
