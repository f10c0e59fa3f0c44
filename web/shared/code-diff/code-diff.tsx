import { useEffect, useRef, useState } from 'react'
import type { CodeLine } from '#web/shared/markdown/luau-tokens.ts'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CodeText, lineText, tokenColors } from './code-text.tsx'
import { highlight } from './highlight.ts'
import type { Comparison, DiffLine, LineKind } from './compare.ts'

// Makes the scroll area focusable, so that the keyboard can scroll it.
const FOCUSABLE = 0
/** Lines of a gap that one press shows. */
const EXPANDED_LINES = 100

/** Pause in typing before code is compared again. */
const PAUSE_MS = 400

interface Props {
  scriptId: number
  /** Numbers of versions. */
  from: number
  to: number
}

const loadVersionCode = async (api: Api, id: number, number: number, signal: AbortSignal): Promise<string> =>
  (await api('GET /api/script-version', { query: { id, number }, signal })).version.script_content

/** The differences between the code of two versions. */
export function CodeDiff({ scriptId, from, to }: Props) {
  const api = useApi()
  const [loaded, setLoaded] = useState<{ pair: string; codes?: readonly [older: string, newer: string] }>()
  const pair = `${from}:${to}`
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    Promise.all([loadVersionCode(api, scriptId, from, signal), loadVersionCode(api, scriptId, to, signal)]).then(
      (codes) => setLoaded({ pair, codes }),
      () => !signal.aborted && setLoaded({ pair }),
    )
    return () => controller.abort()
  }, [api, scriptId, from, to, pair])
  if (loaded?.pair !== pair) return <Skeleton className="h-40" />
  if (!loaded.codes) return <Failure />
  return <CodeComparison key={pair} older={loaded.codes[0]} newer={loaded.codes[1]} />
}

const Failure = () => <p className="text-danger">Couldn't compare the versions.</p>

/** The differences between two codes. The former ones stay until the new ones are known. */
export function CodeComparison({ older, newer }: { older: string; newer: string }) {
  const shown = useComparison(older, newer)
  if (shown === undefined) return <Skeleton className="h-40" />
  return shown === null ? <Failure /> : <DiffTable {...shown} />
}

/** Undefined until the first comparison, null if its code cannot be loaded. */
function useComparison(older: string, newer: string): DiffProps | null | undefined {
  const [shown, setShown] = useState<DiffProps | null>()
  const isFirst = useRef(true)
  useEffect(() => {
    let isStale = false
    const start = async () => {
      const [{ compare }, olderLines, newerLines] = await Promise.all([
        import('./compare.ts'),
        highlight(older),
        highlight(newer),
      ])
      if (!isStale) setShown({ comparison: compare(older, newer), older: olderLines, newer: newerLines })
    }
    const timer = setTimeout(
      () => {
        isFirst.current = false
        start().catch(() => isStale || setShown(null))
      },
      isFirst.current ? 0 : PAUSE_MS,
    )
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [older, newer])
  return shown
}

const rowColors: Record<Exclude<LineKind, 'gap'>, string> = {
  same: '',
  added: 'bg-success-soft',
  removed: 'bg-danger-soft',
}
const signs: Record<Exclude<LineKind, 'gap'>, string> = { same: ' ', added: '+', removed: '-' }
const signLabels: Partial<Record<LineKind, string>> = { added: 'Added: ', removed: 'Removed: ' }

interface DiffProps {
  comparison: Comparison
  /** All lines of both versions, highlighted. */
  older: readonly CodeLine[]
  newer: readonly CodeLine[]
}

/** A line diff. Changes are marked by sign and by text for screen readers, not only by color. */
function DiffTable({ comparison, older, newer }: DiffProps) {
  const { lines, added, removed, isCut, isApproximate } = comparison
  if (added === 0 && removed === 0) return <p className="text-muted">No changes.</p>
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface-1">
      <p className="flex flex-wrap gap-x-4 border-b border-line px-4 py-2 text-sm tabular-nums">
        {added > 0 && <span className="text-success">{lineText(added)} added</span>}
        {removed > 0 && <span className="text-danger">{lineText(removed)} removed</span>}
      </p>
      <section
        tabIndex={FOCUSABLE}
        aria-label="Differences"
        className="max-h-160 overflow-auto focus-visible:-outline-offset-2"
      >
        <pre dir="ltr" className="w-max min-w-full py-2 font-mono text-sm/6 [font-variant-ligatures:none] [tab-size:4]">
          {Array.from(lines.entries(), ([index, line]) =>
            line.kind === 'gap' ? (
              <Gap key={index} lines={line.hidden} newer={newer} />
            ) : (
              <DiffRow key={index} kind={line.kind} line={line} code={codeOf(line, older, newer)} />
            ),
          )}
        </pre>
      </section>
      {(isCut || isApproximate) && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          {isApproximate ? 'Too different to show line by line. ' : ''}
          {isCut ? 'Long lines and anything past 2,000 lines are hidden; open Raw for everything.' : ''}
        </p>
      )}
    </div>
  )
}

/** The highlighted line; its plain text if it was cut or is not highlighted. */
function codeOf({ text, from, to }: DiffLine, older: readonly CodeLine[], newer: readonly CodeLine[]): CodeLine {
  const line = to === undefined ? older[(from ?? 0) - 1] : newer[to - 1]
  const plain = line?.map(([, part]) => part).join('')
  return line && plain === text ? line : [['text', text]]
}

/** Unchanged lines that are shown on demand, from the first one on. */
function Gap({ lines, newer }: { lines: readonly DiffLine[]; newer: readonly CodeLine[] }) {
  const [count, setCount] = useState(0)
  const hidden = lines.length - count
  const next = Math.min(hidden, EXPANDED_LINES)
  return (
    <>
      {lines.slice(0, count).map((line) => (
        <DiffRow key={line.to} kind="same" line={line} code={codeOf(line, [], newer)} />
      ))}
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setCount(count + next)}
          className="sticky left-0 block min-h-11 w-full cursor-pointer bg-surface-2 px-4 text-left font-sans text-muted select-none hover:bg-surface-3 hover:text-text focus-visible:-outline-offset-2 sm:min-h-8"
        >
          {next === hidden ? `Expand ${unchanged(hidden)}` : `Expand ${next} of ${unchanged(hidden)}`}
        </button>
      )}
    </>
  )
}

interface RowProps {
  kind: Exclude<LineKind, 'gap'>
  line: DiffLine
  code: CodeLine
}

function DiffRow({ kind, line: { from, to }, code }: RowProps) {
  return (
    <span className={`flex ${rowColors[kind]}`}>
      <LineNumber>{from}</LineNumber>
      <LineNumber>{to}</LineNumber>
      <span aria-hidden className="w-6 shrink-0 text-center text-muted select-none">
        {signs[kind]}
      </span>
      {signLabels[kind] && <span className="sr-only">{signLabels[kind]}</span>}
      <code className="pr-4">
        {Array.from(code.entries(), ([index, [token, text]]) => (
          <span key={index} className={tokenColors[token] || undefined}>
            <CodeText text={text} />
          </span>
        ))}
        {code.length === 0 && ' '}
      </code>
    </span>
  )
}

function LineNumber({ children }: { children: number | undefined }) {
  return <span className="w-10 shrink-0 pr-2 text-right text-muted tabular-nums select-none">{children}</span>
}

const unchanged = (count: number): string => lineText(count).replace('line', 'unchanged line')
