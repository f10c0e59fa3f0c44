import LayoutGrid from 'lucide-react/icons/layout-grid'
import Rows from 'lucide-react/icons/rows-3'
import { useState } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useAfterHydration } from '#web/ui/use-after-hydration.ts'

const KEY = 'view'
const isList = () => typeof document !== 'undefined' && document.documentElement.dataset[KEY] === 'list'

/** Shows scripts as cards or as rows. The choice is stored in the browser and applies to all lists. */
export function ViewToggle() {
  const stored = useAfterHydration(isList()) ?? false
  const [chosen, setChosen] = useState<boolean>()
  const isShownAsList = chosen ?? stored
  const toggle = () => {
    const view = isShownAsList ? 'grid' : 'list'
    document.documentElement.dataset[KEY] = view
    try {
      localStorage.setItem(KEY, view)
    } catch {
      // Storage is blocked: the choice ends with the page.
    }
    setChosen(!isShownAsList)
  }
  return (
    <span className="max-sm:hidden noscript:hidden">
      <IconButton
        icon={isShownAsList ? LayoutGrid : Rows}
        label={isShownAsList ? 'Show as cards' : 'Show as a list'}
        title={isShownAsList ? 'Show as cards' : 'Show as a list'}
        onClick={toggle}
      />
    </span>
  )
}
