import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Link, useNavigate } from '#web/router/router.tsx'
import { Select } from './select.tsx'
import { useAfterHydration } from './use-after-hydration.ts'

export interface Tab {
  id: string
  label: string
  /** Shown after the label, for example a count. */
  aside?: ReactNode
  to: string
}

interface Props {
  label: string
  tabs: readonly Tab[]
  current: string
  children: ReactNode
}

const tabClass =
  'underline-tab flex min-h-11 shrink-0 items-center gap-2 px-2 font-medium whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2 sm:px-3'

const columnTabClass =
  'flex min-h-9 shrink-0 items-center gap-2 rounded-sm px-3 font-medium text-muted hover:bg-surface-2 hover:text-text focus-visible:-outline-offset-2 aria-selected:bg-accent-soft aria-selected:text-accent'

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

/** A tab in a column. */
export interface ColumnTab extends Tab {
  /** The heading above this tab and the following ones of the group. */
  group?: string
  /** Shown beside the label, with words for screen readers. */
  count?: { text: string; description: string } | undefined
}

/** Many tabs in groups: in a column beside the content, in a select on narrow screens. */
export function ColumnTabs({ label, tabs, current, children }: Props & { tabs: readonly ColumnTab[] }) {
  const id = useId()
  const navigate = useNavigate()
  return (
    <div className="flex min-w-0 flex-col gap-4 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:items-start lg:gap-8">
      <div className="flex lg:hidden">
        <Select
          label="Section"
          isLabelAlwaysVisible
          value={tabs.find((tab) => tab.id === current)?.to ?? ''}
          onChange={(to) => void navigate(to, { preventScrollReset: true })}
        >
          {groupsOf(tabs).map(([group, members]) => (
            <OptionGroup key={group} label={group} tabs={members} />
          ))}
        </Select>
      </div>
      <div
        role="tablist"
        aria-label={label}
        aria-orientation="vertical"
        className="sticky top-18 flex max-h-[calc(100dvh-5rem)] flex-col gap-0.5 overflow-y-auto max-lg:hidden"
      >
        {groupsOf(tabs).map(([group, members]) => (
          <Fragment key={group}>
            {group !== '' && (
              <p aria-hidden className="px-3 pt-4 pb-1 text-xs font-medium text-muted">
                {group}
              </p>
            )}
            <Tabs
              id={id}
              tabs={members.map(({ count, ...tab }) => ({ ...tab, aside: count && <Count {...count} /> }))}
              current={current}
              className={columnTabClass}
            />
          </Fragment>
        ))}
      </div>
      <TabPanel id={id} current={current}>
        {children}
      </TabPanel>
    </div>
  )
}

function groupsOf(tabs: readonly ColumnTab[]): [group: string, tabs: readonly ColumnTab[]][] {
  const groups = new Map<string, ColumnTab[]>()
  for (const tab of tabs) groups.set(tab.group ?? '', [...(groups.get(tab.group ?? '') ?? []), tab])
  return [...groups]
}

function OptionGroup({ label, tabs }: { label: string; tabs: readonly ColumnTab[] }) {
  const options = tabs.map(({ to, label: text, count }) => (
    <option key={to} value={to}>
      {count ? `${text} (${count.text})` : text}
    </option>
  ))
  return label === '' ? options : <optgroup label={label}>{options}</optgroup>
}

function Count({ text, description }: { text: string; description: string }) {
  return (
    <span className="ml-auto min-w-6 rounded-full bg-surface-3 px-1.5 text-center text-xs/5 font-semibold text-text tabular-nums">
      {text}
      <span className="sr-only"> {description}</span>
    </span>
  )
}

function Tabs({ id, tabs, current, className }: Omit<Props, 'label' | 'children'> & { id: string; className: string }) {
  const isHydrated = useAfterHydration(true)
  return tabs.map((tab) => (
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
    </Link>
  ))
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
