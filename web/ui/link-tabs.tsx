import { type KeyboardEvent, type ReactNode, useId, useSyncExternalStore } from 'react'
import { Link } from 'react-router'

export interface Tab {
  id: string
  label: string
  /** Stands behind the label: a count, say. */
  aside?: ReactNode
  to: string
}

const never = () => () => {}

/** Whether the page has come to life. */
function useIsAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Tabs that are links, so that each has its address. Arrow keys go from one to the next; without scripts, Tab does. */
export function LinkTabs({
  label,
  tabs,
  current,
  children,
}: {
  label: string
  tabs: readonly Tab[]
  current: string
  children: ReactNode
}) {
  const id = useId()
  const isAlive = useIsAlive()
  return (
    <>
      <div role="tablist" aria-label={label} className="flex gap-1 border-b border-line">
        {tabs.map((tab) => (
          <Link
            key={tab.id}
            id={`${id}-${tab.id}`}
            to={tab.to}
            role="tab"
            preventScrollReset
            onKeyDown={moveFocus}
            aria-selected={tab.id === current}
            aria-controls={tab.id === current ? `${id}-panel` : undefined}
            tabIndex={isAlive && tab.id !== current ? -1 : undefined}
            className="-mb-px flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 font-medium text-muted hover:text-text aria-selected:border-accent aria-selected:text-text"
          >
            {tab.label}
            {tab.aside}
          </Link>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`} tabIndex={0} className="min-w-0">
        {children}
      </div>
    </>
  )
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const tab = event.currentTarget
  const tabs = [...(tab.parentElement?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
  const step = STEPS[event.key]
  if (step) {
    event.preventDefault()
    tabs[step(tabs.indexOf(tab), tabs.length)]?.focus()
  } else if (event.key === ' ') {
    // A link answers to Enter alone, a tab to the space bar too.
    event.preventDefault()
    tab.click()
  }
}
