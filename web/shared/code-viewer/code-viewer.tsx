import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import X from 'lucide-react/icons/x'
import {
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { LineMark } from '#web/shared/behavior/behavior-view.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { controlClass } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { type CodeMatch, findMatches, MAX_MATCHES } from './find-matches.ts'
import { formatLuau } from './format-luau.ts'
import { lineHash, type LineRange, parseLines } from './line-range.ts'
import { openViewer, type Viewer, type ViewerHandlers } from './open-viewer.ts'
import { barClass, Toolbar, type View } from './toolbar.tsx'
import { useLines } from './use-lines.ts'

interface Props {
  load: () => Promise<string>
  fileName: string
  /** Whether the URL's hash names the marked lines, so that they can be linked to. */
  hasLineLinks?: boolean
  /** Lines to show where the URL does not name them. Each new object scrolls to its lines. */
  lines?: LineRange | undefined
  /** Lines with findings, and what a click on their marks does. */
  marks?: readonly LineMark[] | undefined
  onMark?: (mark: LineMark) => void
  children?: ReactNode
}

/** The whole code, with search, line links, wrapping and a formatted view. */
export function CodeViewer({ load, ...rest }: Props) {
  const [attempt, setAttempt] = useState(0)
  const [result, setResult] = useState<{ attempt: number; code?: string }>()
  const start = useEffectEvent(load)
  useEffect(() => {
    let isStale = false
    start().then(
      (code) => isStale || setResult({ attempt, code }),
      () => isStale || setResult({ attempt }),
    )
    return () => {
      isStale = true
    }
  }, [attempt])
  if (result?.attempt !== attempt) return <Loading fileName={rest.fileName} />
  if (result.code === undefined) return <LoadFailure onRetry={() => setAttempt(attempt + 1)} />
  return <LoadedCode code={result.code} {...rest} />
}

const frameClass = 'overflow-hidden rounded-md border border-line bg-surface-1'

function Loading({ fileName }: { fileName: string }) {
  return (
    <div className={frameClass}>
      <p dir="ltr" className={`${barClass} min-h-13 truncate font-mono text-sm text-muted`}>
        {fileName}
      </p>
      <output className="grid h-96 place-items-center text-muted">Loading the code...</output>
    </div>
  )
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={`${frameClass} flex flex-col items-start gap-3 p-5`}>
      <p role="alert">Couldn't load the code.</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

const NO_MARKS: readonly LineMark[] = []

function LoadedCode({ code, fileName, hasLineLinks = false, ...rest }: Omit<Props, 'load'> & { code: string }) {
  const { marks = NO_MARKS, onMark, children } = rest
  const frame = useRef<HTMLElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const [view, setView] = useState<View>('original')
  const [isWrapped, setWrapped] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const formatted = useFormatted(code, view === 'formatted')
  const shown = (view === 'formatted' && formatted.code) || code
  // Like CodeMirror, counts each line break as one character.
  const text = useMemo(() => shown.replaceAll(/\r\n?/g, '\n'), [shown])
  const search = useSearch(text, isSearching)
  const lines = useLines(hasLineLinks, rest.lines)
  const { viewer, attach } = useViewer(text, `Code of ${fileName}`, isWrapped, {
    onLine: (line, isExtending) => {
      if (view === 'original') lines.select(line, isExtending)
    },
    onMark: (mark) => onMark?.(mark),
  })

  const shownMarks = view === 'original' ? marks : NO_MARKS
  // In one effect, because the marks must be set after the code: setting other code removes them.
  useEffect(() => {
    viewer?.setCode(text)
    viewer?.showMarks(shownMarks)
  }, [viewer, text, shownMarks])
  useShownLines(viewer, frame, lines, view === 'original')
  const { matches, current } = search
  useEffect(() => viewer?.showMatches(matches, current), [viewer, matches, current])

  const find = () => {
    setSearching(true)
    searchBox.current?.focus()
    searchBox.current?.select()
  }
  useFindKey(frame, find)
  const closeSearch = () => {
    setSearching(false)
    viewer?.focus()
  }
  return (
    <section ref={frame} aria-label="Code viewer" className={frameClass}>
      <Toolbar
        fileName={fileName}
        view={view}
        isFormatting={formatted.isBusy}
        onView={setView}
        isWrapped={isWrapped}
        onWrap={setWrapped}
        isSearching={isSearching}
        onFind={isSearching ? closeSearch : find}
      >
        {children}
      </Toolbar>
      {isSearching && <SearchBar search={search} inputRef={searchBox} onClose={closeSearch} />}
      {formatted.hasFailed && view === 'formatted' && (
        <p role="alert" className="border-b border-line px-4 py-2 text-sm text-warning">
          This code can't be formatted, because parts of it are incomplete. You see the original.
        </p>
      )}
      <div
        ref={attach}
        data-shadow
        className="min-h-24 overflow-hidden font-mono text-sm focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-accent"
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-1.5 text-sm text-muted">
        <LineCount text={text} />
        {view === 'original' && hasLineLinks && <GoToLine range={lines.range} onGo={lines.go} />}
      </div>
    </section>
  )
}

function useViewer(text: string, label: string, isWrapped: boolean, handlers: ViewerHandlers) {
  const [viewer, setViewer] = useState<Viewer>()
  const latest = useRef({ text, handlers })
  useEffect(() => {
    latest.current = { text, handlers }
  })
  const top = useRef(0)
  const attach = useCallback(
    (element: HTMLDivElement) => {
      const parent = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
      parent.replaceChildren()
      const opened = openViewer({
        parent,
        code: latest.current.text,
        label,
        isWrapped,
        top: top.current,
        onLine: (line, isExtending) => latest.current.handlers.onLine(line, isExtending),
        onMark: (mark) => latest.current.handlers.onMark(mark),
      })
      setViewer(opened)
      return () => {
        top.current = opened.top()
        opened.close()
        setViewer(undefined)
      }
    },
    [label, isWrapped],
  )
  return { viewer, attach }
}

/** Marks the lines that were chosen, and scrolls to those that the URL names. */
function useShownLines(
  viewer: Viewer | undefined,
  frame: RefObject<HTMLElement | null>,
  { range, isFromUrl, mustFocus }: ReturnType<typeof useLines>,
  isOriginal: boolean,
): void {
  const scrolledTo = useRef<LineRange>(undefined)
  const shownRange = isOriginal ? range : undefined
  useEffect(() => {
    const isNew = isFromUrl && shownRange !== scrolledTo.current
    viewer?.showLines(shownRange, isNew)
    if (!viewer || !shownRange || !isNew) return
    scrolledTo.current = shownRange
    frame.current?.scrollIntoView()
    if (mustFocus) viewer.focus()
  }, [viewer, frame, shownRange, isFromUrl, mustFocus])
}

function useFindKey(frame: RefObject<HTMLElement | null>, find: () => void): void {
  const onFind = useEffectEvent(find)
  useEffect(() => {
    const element = frame.current
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      onFind()
    }
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  }, [frame])
}

const NO_MATCHES: readonly CodeMatch[] = []

function useSearch(text: string, isOn: boolean) {
  const [query, setQuery] = useState('')
  const [position, setPosition] = useState({ matches: NO_MATCHES, index: 0 })
  const matches = useMemo(() => (isOn ? findMatches(text, query) : NO_MATCHES), [text, query, isOn])
  const current = position.matches === matches ? position.index : 0
  const step = (by: number) => {
    const { length } = matches
    if (length > 0) setPosition({ matches, index: (current + by + length) % length })
  }
  return { query, setQuery, matches, current, step }
}

function LineCount({ text }: { text: string }) {
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return (
    <span className="tabular-nums">
      {fullCount(count)} {count === 1 ? 'line' : 'lines'}
    </span>
  )
}

/** The code, formatted in slices when the formatted view is first shown. */
function useFormatted(code: string, isShown: boolean) {
  const [result, setResult] = useState<{ source: string; code: string | undefined }>()
  const isKnown = result?.source === code
  useEffect(() => {
    if (!isShown || isKnown) return undefined
    const controller = new AbortController()
    const pause = async () => {
      await new Promise((resolve) => setTimeout(resolve))
      controller.signal.throwIfAborted()
    }
    formatLuau(code, pause).then(
      (formatted) => setResult({ source: code, code: formatted }),
      () => undefined,
    )
    return () => controller.abort()
  }, [code, isShown, isKnown])
  return {
    code: isKnown ? (result.code ?? code) : undefined,
    isBusy: isShown && !isKnown,
    hasFailed: isKnown && result.code === undefined,
  }
}

/** Marks lines by number, for the keyboard. */
function GoToLine({ range, onGo }: { range: LineRange | undefined; onGo: (range: LineRange) => void }) {
  const [text, setText] = useState('')
  const lines = parseLines(text)
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (lines) onGo(lines)
      }}
    >
      <label className="flex items-center gap-2 whitespace-nowrap">
        Link to line
        <span className="w-24">
          <input
            value={text}
            autoComplete="off"
            placeholder={range ? lineHash(range).slice(1).replaceAll('L', '') : '12-20'}
            onChange={(event) => setText(event.target.value)}
            className={`h-11 sm:h-8 ${controlClass}`}
          />
        </span>
      </label>
      <Button type="submit" size="sm" disabled={!lines}>
        Go
      </Button>
    </form>
  )
}

interface SearchBarProps {
  search: ReturnType<typeof useSearch>
  inputRef: Ref<HTMLInputElement>
  onClose: () => void
}

function SearchBar({ search, inputRef, onClose }: SearchBarProps) {
  const { query, setQuery, matches, current, step } = search
  const onKey = (event: ReactKeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
    else step(event.shiftKey ? -1 : 1)
  }
  const count = matches.length === MAX_MATCHES ? `${fullCount(MAX_MATCHES)}+` : fullCount(matches.length)
  return (
    <search className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-1.5">
      <input
        ref={inputRef}
        // The visitor opened the search.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        type="search"
        dir="auto"
        aria-label="Find in code"
        placeholder="Find in code"
        value={query}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKey}
        className={`h-11 min-w-32 flex-1 sm:h-9 ${controlClass}`}
      />
      <output className="min-w-24 text-center text-sm text-muted tabular-nums">
        {query !== '' && (matches.length === 0 ? 'No matches' : `${fullCount(current + 1)} of ${count}`)}
      </output>
      <IconButton icon={ChevronUp} label="Previous match" onClick={() => step(-1)} />
      <IconButton icon={ChevronDown} label="Next match" onClick={() => step(1)} />
      <IconButton icon={X} label="Close search" onClick={onClose} />
    </search>
  )
}
