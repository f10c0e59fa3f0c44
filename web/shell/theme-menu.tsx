import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { type ReactNode, useState } from 'react'
import { Menu, MenuChoice } from '#web/ui/menu.tsx'

const THEMES = [
  { theme: 'system', label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const
type Theme = (typeof THEMES)[number]['theme']

/** Opens when it is first rendered. */
export function ThemeMenu({ icon, buttonClass }: { icon: ReactNode; buttonClass: string }) {
  const [current, setCurrent] = useState(readTheme)
  return (
    <Menu label="Theme" button={icon} buttonClass={buttonClass} isInitiallyOpen>
      {THEMES.map(({ theme, label, icon: Icon }) => (
        <MenuChoice
          key={theme}
          icon={Icon}
          isCurrent={theme === current}
          onSelect={() => {
            setTheme(theme)
            setCurrent(theme)
          }}
        >
          {label}
        </MenuChoice>
      ))}
    </Menu>
  )
}

const KEY = 'theme'

/** The theme that before-paint.ts has applied. */
function readTheme(): Theme {
  const chosen = document.documentElement.dataset[KEY]
  return chosen === 'dark' || chosen === 'light' ? chosen : 'system'
}

/** Without a stored theme, the styles follow the system's, also when it changes. */
function setTheme(theme: Theme): void {
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
