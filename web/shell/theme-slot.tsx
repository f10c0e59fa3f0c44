import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { Suspense, useState } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'

const loadMenu = () => import('./theme-menu.tsx')
const ThemeMenu = lazyComponent(async () => (await loadMenu()).ThemeMenu)

const preload = () => void loadMenu().catch(() => undefined)

/** The theme menu's button. The menu itself is loaded when the visitor reaches for it. */
export function ThemeSlot() {
  const [isNeeded, setNeeded] = useState(false)
  const button = (
    <button
      type="button"
      aria-label="Theme"
      title="Theme"
      aria-haspopup="menu"
      aria-expanded={isNeeded}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setNeeded(true)}
      className={`${iconButtonClass} noscript:invisible`}
    >
      <ThemeIcon />
    </button>
  )
  if (!isNeeded) return button
  return (
    <Suspense fallback={button}>
      <ThemeMenu icon={<ThemeIcon />} buttonClass={iconButtonClass} />
    </Suspense>
  )
}

/** Renders both icons, and CSS shows one, because the server does not know the visitor's theme. */
function ThemeIcon() {
  return (
    <>
      <Moon aria-hidden className="size-5 light:hidden" />
      <Sun aria-hidden className="hidden size-5 light:block" />
    </>
  )
}
