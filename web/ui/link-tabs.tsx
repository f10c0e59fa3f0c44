import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Link } from '#web/router/router.tsx'
import { useAfterHydration } from './use-after-hydration.ts'

export interface Tab {
  id: string
  label: string
  /** Shown after the label, for example a count. */
  aside?: ReactNode
  to: string
}

/** Tabs as links, so that each has a URL. Arrow keys move between them; without JavaScript, Tab does. */
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
  const isHydrated = useAfterHydration(true)
  const list = useRef<HTMLDivElement>(null)
  // Tabs that do not fit are reached by scrolling; the selected one is always in view.
  useEffect(() => scrollToTab(list.current, `${id}-${current}`), [id, current])
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="fade-x scrollbar-none flex overflow-x-auto overflow-y-hidden shadow-[inset_0_-1px_var(--line)] sm:gap-1"
      >
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
            tabIndex={isHydrated && tab.id !== current ? -1 : undefined}
            className="flex min-h-11 shrink-0 items-center gap-2 underline-tab px-2 sm:px-3 font-medium whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2"
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

function scrollToTab(list: HTMLElement | null, tabId: string): void {
  const tab = document.querySelector(`[id="${tabId}"]`)
  if (!list || !tab) return
  const { left, width } = tab.getBoundingClientRect()
  const bounds = list.getBoundingClientRect()
  list.scrollLeft += left + width / 2 - (bounds.left + bounds.width / 2)
}

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const tab = event.currentTarget
  const tabs = [...(tab.parentElement?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
  const step = STEPS[event.key]
  if (step) {
    event.preventDefault()
    tabs[step(tabs.indexOf(tab), tabs.length)]?.focus()
  } else if (event.key === ' ') {
    // Links react only to Enter, tabs also to the space bar.
    event.preventDefault()
    tab.click()
  }
}
