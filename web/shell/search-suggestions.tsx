import X from 'lucide-react/icons/x'
import { useEffect, useId, useReducer, useRef, useState } from 'react'
import { Link, useNavigate } from '#web/router/router.tsx'
import type { SearchSuggestions as Suggestions } from '#contract/catalogue.ts'
import { useApi } from '#web/lib/api-context.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { forgetSearches, recordSearch } from '#web/lib/recent-searches.ts'
import { useSession } from '#web/lib/session.tsx'
import { listCommands, matchCommands } from './commands.ts'
import {
  type ComboboxAction,
  fieldOf,
  openCombobox,
  readKey,
  reduceCombobox,
  type SearchForm,
  useFieldAttributes,
  useFieldEvents,
  useText,
} from './search-combobox.ts'
import { type Group, groupsOf, type Option, recentGroups, resultsPath } from './search-groups.tsx'
import { useTheme } from './theme.ts'

const DELAY_MS = 120
const NONE: Suggestions = { titles: [], tags: [], games: [], authors: [] }

/** Turns the search field of a form into a combobox with a list of suggestions. */
export function SearchSuggestions({ form, openHelp }: { form: SearchForm; openHelp: () => void }) {
  const id = useId()
  const text = useText(form)
  const [state, dispatch] = useReducer(reduceCombobox, undefined, openCombobox)
  const { leave, open } = useLeave(form, dispatch)
  const search = text.trim()
  const suggestions = useSuggestions(search)
  const commands = matchCommands(search, listCommands({ session: useSession(), theme: useTheme(), openHelp }))
  const groups = search ? groupsOf(search, suggestions ?? NONE, commands) : recentGroups(state.recent)
  const options = groups.flatMap((group) => group.options)
  const isShown = state.isOpen && options.length > 0
  const active = isShown ? options.findIndex(({ key }) => key === state.activeKey) : -1
  const activeOption = options[active]

  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const result = readKey(event.key, { keys: options.map(({ key }) => key), isShown, active })
    if (result === undefined) return
    event.preventDefault()
    if (result === 'leave') leave(undefined)
    else if (result !== 'choose') dispatch(result)
    else if (activeOption) open(activeOption)
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (search) open({ target: resultsPath(search), search })
  }
  useFieldEvents(form, { dispatch, onKey, onSubmit })
  useFieldAttributes(form, { listId: id, isShown, activeId: activeOption ? `${id}${activeOption.key}` : null })

  return (
    <>
      <button
        type="button"
        aria-label="Close search"
        onClick={() => leave(undefined)}
        className={`${iconButtonClass} lg:group-not-data-compact/header:hidden`}
      >
        <X aria-hidden className="size-5" />
      </button>
      {isShown && (
        <SuggestionPanel
          id={id}
          groups={groups}
          active={activeOption}
          onLeave={leave}
          onForget={search ? undefined : () => forget(form, dispatch)}
        />
      )}
      <output className="sr-only">
        {isShown && (options.length === 1 ? '1 suggestion' : `${options.length} suggestions`)}
      </output>
    </>
  )
}

function useLeave(form: SearchForm, dispatch: (action: ComboboxAction) => void) {
  const navigate = useNavigate()
  /** Empties the field and leaves it, so that the keyboard continues in the page. */
  const leave = (searched: string | undefined) => {
    if (searched) recordSearch(searched)
    const field = fieldOf(form)
    if (field) field.value = ''
    dispatch({ type: 'close' })
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  const open = ({ target, search }: Pick<Option, 'target' | 'search'>) => {
    leave(search)
    if (typeof target === 'string') void navigate(target)
    else target()
  }
  return { leave, open }
}

function forget(form: SearchForm, dispatch: (action: ComboboxAction) => void): void {
  forgetSearches()
  dispatch({ type: 'forget' })
  fieldOf(form)?.focus()
}

interface PanelProps {
  /** Id of the list. Those of its options start with it. */
  id: string
  groups: readonly Group[]
  active: Option | undefined
  onLeave: (searched: string | undefined) => void
  /** Undefined without recent searches. */
  onForget: (() => void) | undefined
}

function SuggestionPanel({ id, groups, active, onLeave, onForget }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <div
      ref={panel}
      role="presentation"
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto overscroll-contain border border-line bg-surface-1 p-1 text-sm shadow-raised max-lg:border-x-0 lg:group-not-data-compact/header:mt-1.5 lg:group-not-data-compact/header:-right-16 lg:group-not-data-compact/header:rounded-md"
    >
      <div role="listbox" id={id} aria-label="Suggestions">
        {groups.map(({ label, options }) => (
          <div key={label} role="group" aria-label={label}>
            <p aria-hidden className="px-2 pt-2 pb-1 text-xs font-semibold text-muted">
              {label}
            </p>
            {options.map((option) => (
              <OptionRow
                key={option.key}
                id={`${id}${option.key}`}
                option={option}
                isActive={option === active}
                onLeave={onLeave}
              />
            ))}
          </div>
        ))}
      </div>
      {onForget && (
        <button
          type="button"
          onClick={onForget}
          className="m-1 min-h-11 rounded-sm px-1 text-xs text-muted hover:text-text hover:underline lg:min-h-8"
        >
          Clear recent searches
        </button>
      )}
    </div>
  )
}

interface OptionRowProps {
  id: string
  option: Option
  isActive: boolean
  onLeave: PanelProps['onLeave']
}

function OptionRow({ id, option: { target, content, search }, isActive, onLeave }: OptionRowProps) {
  const attributes = {
    id,
    role: 'option',
    'aria-selected': isActive,
    tabIndex: -1,
    className:
      'flex min-h-11 w-full items-center gap-3 rounded-sm px-2 text-left hover:bg-surface-2 aria-selected:bg-surface-2 aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent lg:min-h-10',
  }
  if (typeof target === 'function') {
    const run = () => {
      onLeave(search)
      target()
    }
    return (
      <button type="button" {...attributes} onClick={run}>
        {content}
      </button>
    )
  }
  return (
    <Link
      {...attributes}
      to={target}
      onClick={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onLeave(search)
      }}
    >
      {content}
    </Link>
  )
}

/** Suggestions for a text, loaded shortly after the last keystroke. While it grows or shrinks, the last ones stay. */
function useSuggestions(search: string): Suggestions | undefined {
  const api = useApi()
  const [loaded, setLoaded] = useState<{ search: string; suggestions: Suggestions }>()
  useEffect(() => {
    if (!search) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      api('GET /api/search-suggestions', { query: { q: search }, signal: controller.signal }).then(
        (suggestions) => setLoaded({ search, suggestions }),
        // Without suggestions, the field still searches.
        () => undefined,
      )
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, search])
  const isRelated = loaded && (search.startsWith(loaded.search) || loaded.search.startsWith(search))
  return isRelated ? loaded.suggestions : undefined
}
