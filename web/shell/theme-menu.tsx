import type { ReactNode } from 'react'
import { Menu, MenuChoice } from '#web/ui/menu.tsx'
import { setTheme, THEMES, useTheme } from './theme.ts'

/** Opens when it is first rendered. */
export function ThemeMenu({ icon, buttonClass }: { icon: ReactNode; buttonClass: string }) {
  const current = useTheme()
  return (
    <Menu label="Theme" button={icon} buttonClass={buttonClass} isInitiallyOpen>
      {THEMES.map(({ theme, label, icon: Icon }) => (
        <MenuChoice key={theme} icon={Icon} isCurrent={theme === current} onSelect={() => setTheme(theme)}>
          {label}
        </MenuChoice>
      ))}
    </Menu>
  )
}
