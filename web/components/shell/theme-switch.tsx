import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { setTheme, currentTheme } from '#web/lib/theme.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'

/** Both signs are there and CSS shows the right one: the server does not know which theme a visitor has. */
export function ThemeSwitch() {
  return (
    <button
      type="button"
      aria-label="Switch between dark and light"
      title="Switch between dark and light"
      onClick={() => setTheme(currentTheme() === 'dark' ? 'light' : 'dark')}
      className={`${iconButtonClass} noscript:invisible`}
    >
      <Moon aria-hidden className="size-5 light:hidden" />
      <Sun aria-hidden className="hidden size-5 light:block" />
    </button>
  )
}
