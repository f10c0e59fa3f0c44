import Dot from 'lucide-react/icons/circle-small'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { scriptFileName } from '#contract/slug.ts'
import type { BehaviorView, LineMark } from '#web/shared/behavior/behavior-view.ts'
import { findingId } from '#web/shared/behavior/show-finding.ts'
import { useApi } from '#web/lib/api-context.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useAfterHydration } from '#web/ui/use-after-hydration.ts'
import { Link, useLocation, useNavigate } from '#web/router/router.tsx'
import { Button } from '#web/ui/button.tsx'
import type { CodeLine } from '#web/shared/markdown/luau-tokens.ts'
import { CodeText, lineText, tokenColors } from '#web/shared/code-diff/code-text.tsx'
import type { Preview } from './code-preview.ts'
import { CopyScript, loadCode } from './copy-script.tsx'
import type { PageScript } from './script-details.ts'

// Makes the scroll area focusable, so that the keyboard can scroll it.
const FOCUSABLE = 0

const CodeViewer = lazyComponent(async () => (await import('#web/shared/code-viewer/code-viewer.tsx')).CodeViewer)

/** A hash that names lines, such as `#L12-L20`. */
const LINE_HASH = /^#L\d/

const NO_MARKS: LineMark[] = []

interface ScriptCodeProps {
  script: PageScript
  preview: Preview
  /** Its lines are marked. */
  behavior: Pick<BehaviorView, 'marks' | 'alert'> | null
}

/** The preview, or the viewer with the whole code: on demand, and for a link to lines. */
export function ScriptCode({ script, preview, behavior }: ScriptCodeProps) {
  const marks = behavior?.marks ?? NO_MARKS
  const api = useApi()
  const hasLines = useAfterHydration(LINE_HASH.test(useLocation().hash) || undefined)
  const navigate = useNavigate()
  const [isRequested, setRequested] = useState(false)
  // The viewer stays open when the hash changes again.
  if (hasLines && !isRequested) setRequested(true)
  const fileName = scriptFileName(script.slug)
  const copy = <CopyScript script={script} alert={behavior?.alert ?? null} variant="ghost" size="sm" />
  const previewFrame = (
    <CodePreview preview={preview} fileName={fileName} script={script} marks={marks} onOpen={() => setRequested(true)}>
      {copy}
    </CodePreview>
  )
  if (!isRequested) return previewFrame
  return (
    <Suspense fallback={previewFrame}>
      <CodeViewer
        key={script.content_sha256}
        load={() => loadCode(api, script)}
        fileName={fileName}
        hasLineLinks
        marks={marks}
        onMark={({ id }) => void navigate({ hash: findingId(id) }, { preventScrollReset: true })}
      >
        {copy}
      </CodeViewer>
    </Suspense>
  )
}

interface PreviewProps {
  script: PageScript
  preview: Preview
  fileName: string
  marks: LineMark[]
  onOpen: () => void
  children: ReactNode
}

/** The preview in a scrolling frame with line numbers, and a switch that wraps long lines. */
function CodePreview({ script, preview, fileName, marks, onOpen, children }: PreviewProps) {
  const [isWrapped, setWrapped] = useState(false)
  const { lines, isCut } = useHighlighted(preview)
  const shown = isCut ? withEllipsis(lines) : lines
  const marksByLine = new Map(marks.map((mark) => [mark.line, mark]))
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface-1">
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-1.5 pr-2 pl-4">
        <p dir="ltr" className="min-w-0 flex-1 truncate font-mono text-sm text-muted">
          {fileName}
        </p>
        <label className="flex min-h-11 cursor-pointer items-center gap-2 px-2 text-sm noscript:hidden sm:min-h-8">
          <input
            type="checkbox"
            checked={isWrapped}
            onChange={(event) => setWrapped(event.target.checked)}
            className="size-4 accent-accent"
          />
          Wrap lines
        </label>
        {children}
      </div>
      <section
        tabIndex={FOCUSABLE}
        aria-label="Script preview"
        className="relative max-h-160 overflow-auto focus-visible:-outline-offset-2"
      >
        <pre className="min-w-full py-3 font-mono text-sm/6 [font-variant-ligatures:none] [tab-size:4]">
          <code
            className={
              isWrapped
                ? 'relative block whitespace-pre-wrap wrap-anywhere [counter-reset:line]'
                : 'relative block w-max min-w-full [counter-reset:line]'
            }
          >
            {Array.from(shown.entries(), ([index, line]) => (
              <Line key={index} line={line} mark={marksByLine.get(index + 1)} isLast={index === shown.length - 1} />
            ))}
          </code>
        </pre>
      </section>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line py-1.5 pr-2 pl-4 text-sm text-muted">
        {isCut ? (
          <p>Showing the first 2,000 characters. Copy and Download include everything.</p>
        ) : (
          <p>{lineText(preview.lineCount)}</p>
        )}
        <Button size="sm" onClick={onOpen} className="noscript:hidden">
          {isCut ? `Show all ${lineText(preview.lineCount)}` : 'Open code viewer'}
        </Button>
        {isCut && script.is_public && (
          <a href={`/raw/${encodeURIComponent(script.slug)}`} className="hidden text-accent noscript:inline">
            Show the whole code
          </a>
        )}
      </div>
      {preview.hasHiddenCharacters && (
        <p className="border-t border-line px-4 py-2 text-sm text-warning">
          This script contains invisible or text-direction characters. The preview shows them as codes.
        </p>
      )}
    </div>
  )
}

/** Highlights a preview that was loaded in the browser. The server sends highlighted lines. */
function useHighlighted(preview: Preview): Preview {
  const [highlighted, setHighlighted] = useState<{ source: Preview; result: Preview }>()
  useEffect(() => {
    if (preview.isHighlighted) return undefined
    let isStale = false
    const highlight = async () => {
      const { highlightLuau } = await import('./highlight-luau.ts')
      if (!isStale) setHighlighted({ source: preview, result: highlightLuau(preview) })
    }
    // If the grammar cannot be loaded, the code stays plain.
    highlight().catch(() => undefined)
    return () => {
      isStale = true
    }
  }, [preview])
  return highlighted?.source === preview ? highlighted.result : preview
}

function withEllipsis(lines: readonly CodeLine[]): CodeLine[] {
  return [...lines.slice(0, -1), [...(lines.at(-1) ?? []), ['text', '…']]]
}

/** The line number is generated content, so it is neither selected nor copied. */
function Line({ line, mark, isLast }: { line: CodeLine; mark: LineMark | undefined; isLast: boolean }) {
  return (
    <span
      dir="ltr"
      className="block pr-4 pl-12 sm:pl-16 [counter-increment:line] before:absolute before:left-0 before:w-8 sm:before:w-10 before:text-right before:text-muted before:content-[counter(line)/'']"
    >
      {mark && <Mark mark={mark} />}
      {Array.from(line.entries(), ([index, [kind, text]]) => (
        <span key={index} className={tokenColors[kind] || undefined}>
          <CodeText text={text} />
        </span>
      ))}
      {isLast ? '' : '\n'}
    </span>
  )
}

const markColors: Record<LineMark['level'], string> = {
  warning: 'text-danger',
  notice: 'text-warning',
  plain: 'text-muted',
}
const markIcons = { warning: TriangleAlert, notice: Info, plain: Dot }

/** A link from a line to what was found there, over its number. */
function Mark({ mark: { line, id, level, label } }: { mark: LineMark }) {
  const Icon = markIcons[level]
  return (
    <Link
      to={{ hash: findingId(id) }}
      preventScrollReset
      id={`L${line}`}
      aria-label={label}
      title={label}
      className={`absolute left-0 flex h-6 w-12 items-center justify-end pr-0.5 hover:bg-surface-3 focus-visible:-outline-offset-2 sm:w-16 sm:pr-1 ${markColors[level]}`}
    >
      <Icon aria-hidden className="size-3 sm:size-3.5" />
    </Link>
  )
}
