import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Link, useNavigate } from '#web/router/router.tsx'
import { Select } from './select.tsx'
import { useAfterHydration } from './use-after-hydration.ts'
import { LG, useMedia } from './use-media.ts'

export interface Tab {
  id: string
  label: string
  /** Shown after the label, for example a count. */
  aside?: ReactNode
  to: string
  /** In a column: the heading above this tab. */
  heading?: string
}

interface Props {
  label: string
  tabs: readonly Tab[]
  current: string
  children: ReactNode
}

const tabClass =
  'underline-tab flex min-h-11 shrink-0 items-center gap-2 px-2 font-medium whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2 sm:px-3'

/** Tabs as links, so that each has a URL. Arrow keys move between them; without JavaScript, Tab does. */
export function LinkTabs({ label, tabs, current, children }: Props) {
  const id = useId()
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
        <Tabs id={id} tabs={tabs} current={current} className={tabClass} />
      </div>
      <TabPanel id={id} current={current}>
        {children}
      </TabPanel>
    </>
  )
}

/** Many tabs, all of them visible: in a column beside the content, in rows on narrow screens, in a select on phones. */
export function ColumnTabs({ label, tabs, current, children }: Props) {
  const id = useId()
  const isColumn = useMedia(LG)
  const navigate = useNavigate()
  const options = Object.fromEntries(tabs.map((tab) => [tab.to, tab.label]))
  return (
    <div className="flex min-w-0 flex-col gap-4 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:items-start lg:gap-8">
      <div className="flex sm:hidden">
        <Select
          label="Section"
          isLabelAlwaysVisible
          value={tabs.find((tab) => tab.id === current)?.to ?? ''}
          options={options}
          onChange={(to) => void navigate(to, { preventScrollReset: true })}
        />
      </div>
      <div
        role="tablist"
        aria-label={label}
        aria-orientation={isColumn ? 'vertical' : undefined}
        className="flex flex-wrap max-sm:hidden lg:sticky lg:top-18 lg:max-h-[calc(100dvh-5rem)] lg:flex-col lg:flex-nowrap lg:overflow-y-auto"
      >
        <Tabs
          id={id}
          tabs={tabs}
          current={current}
          className={`${tabClass} lg:min-h-9 lg:rounded-sm lg:border-b-0 lg:hover:bg-surface-2 lg:aria-selected:bg-accent-soft lg:aria-selected:text-accent`}
        />
      </div>
      <TabPanel id={id} current={current}>
        {children}
      </TabPanel>
    </div>
  )
}

function Tabs({ id, tabs, current, className }: Omit<Props, 'label' | 'children'> & { id: string; className: string }) {
  const isHydrated = useAfterHydration(true)
  return tabs.flatMap((tab) => [
    tab.heading && (
      <p key={tab.heading} aria-hidden className="hidden px-3 pt-3 pb-1 text-xs font-medium text-muted lg:block">
        {tab.heading}
      </p>
    ),
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
      className={className}
    >
      {tab.label}
      {tab.aside}
    </Link>,
  ])
}

function TabPanel({ id, current, children }: { id: string; current: string; children: ReactNode }) {
  return (
    <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`} tabIndex={0} className="min-w-0">
      {children}
    </div>
  )
}

function scrollToTab(list: HTMLElement | null, tabId: string): void {
  const tab = document.querySelector(`[id="${tabId}"]`)
  if (!list || !tab) return
  const { left, width } = tab.getBoundingClientRect()
  const bounds = list.getBoundingClientRect()
  list.scrollLeft += left + width / 2 - (bounds.left + bounds.width / 2)
}

const next = (index: number, count: number) => (index + 1) % count
const previous = (index: number, count: number) => (index - 1 + count) % count

/** The keys of a row, and those of a column. */
const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowRight: next,
  ArrowLeft: previous,
  Home: () => 0,
  End: (_index, count) => count - 1,
}
const COLUMN_STEPS: typeof STEPS = { ...STEPS, ArrowDown: next, ArrowUp: previous }

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const tab = event.currentTarget
  const list = tab.closest('[role=tablist]')
  const tabs = [...(list?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
  const step = (list?.ariaOrientation === 'vertical' ? COLUMN_STEPS : STEPS)[event.key]
  if (step) {
    event.preventDefault()
    tabs[step(tabs.indexOf(tab), tabs.length)]?.focus()
  } else if (event.key === ' ') {
    // Links react only to Enter, tabs also to the space bar.
    event.preventDefault()
    tab.click()
  }
}
