import CornerDownLeft from 'lucide-react/icons/corner-down-left'
import Hash from 'lucide-react/icons/hash'
import History from 'lucide-react/icons/history'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link, useNavigate } from '#web/router/router.tsx'
import type { SearchSuggestions as Suggestions } from '#contract/catalogue.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { ScriptCover } from '#web/shared/cards/script-cover.tsx'
import { tagPath } from '#web/ui/tag-chip.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { compactCount } from '#web/lib/numbers.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { forgetSearches, readRecentSearches, recordSearch } from '#web/lib/recent-searches.ts'

const DELAY_MS = 120

interface Option {
  key: string
  to: string
  content: ReactNode
  /** The text of a search, stored as a recent search when chosen. */
  search?: string
}

interface Group {
  label: string
  options: Option[]
}

/** The same URL as the form's without JavaScript. */
const resultsPath = (search: string) => `/scripts?${new URLSearchParams({ sort: 'relevance', search })}`

type Form = RefObject<HTMLFormElement | null>

const fieldOf = (form: Form) => form.current?.querySelector<HTMLInputElement>('[type=search]')

/** The text in the search field, which may have been typed before this code was loaded. */
function useText(form: Form): string {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const field = fieldOf(form)
      field?.addEventListener('input', onChange)
      return () => field?.removeEventListener('input', onChange)
    },
    [form],
  )
  return useSyncExternalStore(
    subscribe,
    () => fieldOf(form)?.value ?? '',
    () => '',
  )
}

/** Turns the search field of a form into a combobox (ARIA pattern) with a list of suggestions. */
export function SearchSuggestions({ form }: { form: Form }) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const input = () => fieldOf(form)
  const text = useText(form)
  const [isOpen, setOpen] = useState(true)
  const [activeKey, setActiveKey] = useState<string>()
  const [recent, setRecent] = useState(readRecentSearches)
  const search = text.trim()
  const suggestions = useSuggestions(search)
  const groups = search ? groupsOf(search, suggestions) : recentGroups(recent)
  const options = groups.flatMap((group) => group.options)
  const isShown = isOpen && options.length > 0
  const optionId = (option: Option) => `${id}${option.key}`
  const active = isShown ? options.findIndex(({ key }) => key === activeKey) : -1
  const activeOption = options[active]

  const close = () => {
    setOpen(false)
    setActiveKey(undefined)
  }
  /** Empties the field and leaves it, so that the keyboard continues in the page. */
  const leave = (searched: string | undefined) => {
    if (searched) recordSearch(searched)
    const field = input()
    if (field) field.value = ''
    close()
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  const open = ({ to, search: searched }: Pick<Option, 'to' | 'search'>) => {
    leave(searched)
    void navigate(to)
  }

  const onInput = useEffectEvent(() => {
    setActiveKey(undefined)
    setOpen(true)
  })
  const onFocus = useEffectEvent(() => {
    setRecent(readRecentSearches())
    setOpen(true)
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      setActiveKey(options[nextIndex(active, event.key === 'ArrowDown' ? 1 : -1, options.length)]?.key)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (isShown) close()
      else leave(undefined)
    } else if (event.key === 'Enter' && activeOption) {
      event.preventDefault()
      open(activeOption)
    }
  })
  const onSubmit = useEffectEvent((event: SubmitEvent) => {
    event.preventDefault()
    if (search) open({ to: resultsPath(search), search })
  })
  const onFocusOut = useEffectEvent(({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && form.current?.contains(relatedTarget))) close()
  })

  useEffect(() => {
    const field = fieldOf(form)
    if (!form.current || !field) return undefined
    const stop = new AbortController()
    const { signal } = stop
    field.addEventListener('input', () => onInput(), { signal })
    field.addEventListener('focus', () => onFocus(), { signal })
    field.addEventListener('keydown', (event) => onKey(event), { signal })
    form.current.addEventListener('submit', (event) => onSubmit(event), { signal })
    form.current.addEventListener('focusout', (event) => onFocusOut(event), { signal })
    return () => stop.abort()
  }, [form])

  useEffect(() => {
    const field = fieldOf(form)
    if (!field) return
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': String(isShown),
      'aria-controls': isShown ? id : null,
      'aria-activedescendant': activeOption ? optionId(activeOption) : null,
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) field.removeAttribute(name)
      else field.setAttribute(name, value)
    }
    panel.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })

  return (
    <>
      <button
        type="button"
        aria-label="Close search"
        onClick={() => leave(undefined)}
        className={`${iconButtonClass} lg:hidden`}
      >
        <X aria-hidden className="size-5" />
      </button>
      {isShown && (
        <div
          ref={panel}
          role="presentation"
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          className="absolute inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto overscroll-contain border border-line bg-surface-1 p-1 text-sm shadow-raised max-lg:border-x-0 lg:mt-1.5 lg:-right-16 lg:rounded-md"
        >
          <div role="listbox" id={id} aria-label="Suggestions">
            {groups.map(({ label, options: inGroup }) => (
              <div key={label} role="group" aria-label={label}>
                <p aria-hidden className="px-2 pt-2 pb-1 text-xs font-semibold text-muted">
                  {label}
                </p>
                {inGroup.map((option) => (
                  <Link
                    key={option.key}
                    id={optionId(option)}
                    to={option.to}
                    role="option"
                    aria-selected={option === activeOption}
                    tabIndex={-1}
                    onClick={(event) => {
                      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) leave(option.search)
                    }}
                    className="flex min-h-11 items-center gap-3 rounded-sm px-2 hover:bg-surface-2 aria-selected:bg-surface-2 aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent lg:min-h-10"
                  >
                    {option.content}
                  </Link>
                ))}
              </div>
            ))}
          </div>
          {!search && (
            <button
              type="button"
              onClick={() => {
                forgetSearches()
                setRecent([])
                input()?.focus()
              }}
              className="m-1 min-h-11 rounded-sm px-1 text-xs text-muted hover:text-text hover:underline lg:min-h-8"
            >
              Clear recent searches
            </button>
          )}
        </div>
      )}
      <output className="sr-only">
        {isShown && (options.length === 1 ? '1 suggestion' : `${options.length} suggestions`)}
      </output>
    </>
  )
}

/** The next option in a list that wraps around; -1, between its end and its start, is the field itself. */
export function nextIndex(index: number, step: 1 | -1, length: number): number {
  const positions = length + 1
  return ((index + 1 + step + positions) % positions) - 1
}

/** Suggestions for a text, loaded shortly after the last keystroke. While it grows or shrinks, the last ones stay. */
function useSuggestions(search: string): Suggestions | undefined {
  const api = useApi()
  const [found, setFound] = useState<{ search: string; suggestions: Suggestions }>()
  useEffect(() => {
    if (!search) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      api('GET /api/search-suggestions', { query: { q: search }, signal: controller.signal }).then(
        (suggestions) => setFound({ search, suggestions }),
        // Without suggestions, the field still searches.
        () => undefined,
      )
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, search])
  const isRelated = found && (search.startsWith(found.search) || found.search.startsWith(search))
  return isRelated ? found.suggestions : undefined
}

function recentGroups(recent: readonly string[]): Group[] {
  if (recent.length === 0) return []
  const options = recent.map((search) => ({
    key: `recent ${search}`,
    to: resultsPath(search),
    search,
    content: <Row icon={<History aria-hidden className="size-4 text-muted" />}>{search}</Row>,
  }))
  return [{ label: 'Recent searches', options }]
}

function groupsOf(search: string, found: Suggestions | undefined): Group[] {
  const scripts = (found?.titles ?? []).map((script) => ({
    key: `script ${script.id}`,
    to: `/scripts/${encodeURIComponent(script.slug)}`,
    content: (
      <>
        <span className="aspect-video w-16 shrink-0 overflow-hidden rounded-sm bg-surface-2">
          <ScriptCover title={script.title} src={script.image_card} width={64} height={36} isEager />
        </span>
        <span className="min-w-0 py-1">
          <span className="block truncate">
            <bdi>{script.title}</bdi>
          </span>
          <span className="block truncate text-xs text-muted">
            <bdi>{script.author_name}</bdi>
          </span>
        </span>
      </>
    ),
  }))
  const tags = (found?.tags ?? []).map(({ id, name, count }) => ({
    key: `tag ${id}`,
    to: tagPath(name),
    content: (
      <Row icon={<Hash aria-hidden className="size-4 text-muted" />} aside={compactCount(count)}>
        {name}
      </Row>
    ),
  }))
  const authors = (found?.authors ?? []).map(({ id, name, slug, avatar }) => ({
    key: `author ${id}`,
    to: `/profile/${encodeURIComponent(slug)}`,
    content: (
      <>
        <MemberAvatar member={{ author_avatar: avatar }} name={name} size="small" />
        <bdi className="truncate">{name}</bdi>
      </>
    ),
  }))
  const all = {
    key: 'all',
    to: resultsPath(search),
    search,
    content: (
      <Row
        icon={<Search aria-hidden className="size-4 text-muted" />}
        aside={<CornerDownLeft aria-hidden className="size-4" />}
      >
        {search}
      </Row>
    ),
  }
  return [
    { label: 'Scripts', options: scripts },
    { label: 'Tags', options: tags },
    { label: 'Authors', options: authors },
    { label: 'All results', options: [all] },
  ].filter(({ options }) => options.length > 0)
}

function Row({ icon, aside, children }: { icon: ReactNode; aside?: ReactNode; children: string }) {
  return (
    <>
      <span className="flex w-6 shrink-0 justify-center">{icon}</span>
      <bdi className="truncate">{children}</bdi>
      {aside !== undefined && <span className="ml-auto text-xs text-muted tabular-nums">{aside}</span>}
    </>
  )
}
