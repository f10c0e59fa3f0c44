import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useSyncExternalStore } from 'react'

export const THEMES = [
  { theme: 'system', label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const
export type Theme = (typeof THEMES)[number]['theme']

const KEY = 'theme'

/** The theme that before-paint.ts or `setTheme` has applied. */
function readTheme(): Theme {
  const chosen = document.documentElement.dataset[KEY]
  return chosen === 'dark' || chosen === 'light' ? chosen : 'system'
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: [`data-${KEY}`] })
  return () => observer.disconnect()
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme, () => 'system')

/** Without a stored theme, the styles follow the system's, also when it changes. */
export function setTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset[KEY]
  else dataset[KEY] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
}
