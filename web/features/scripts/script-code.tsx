import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts'
import { useLocation } from '#web/router/router.tsx'
import { Button } from '#web/ui/button.tsx'
import type { CodeLine, TokenKind } from '#web/components/luau-tokens.ts'
import { CodeText, type Preview } from './code-preview.tsx'
import { CopyScript, loadCode } from './copy-button.tsx'
import type { PageScript } from './script-page.tsx'

// Makes the scroll area focusable, so that the keyboard can scroll it.
const FOCUSABLE = 0

const CodeViewer = lazyComponent(async () => (await import('#web/components/code-viewer/code-viewer.tsx')).CodeViewer)

/** A hash that names lines, such as `#L12-L20`. */
const LINE_HASH = /^#L\d/

/** The preview, or the viewer with the whole code: on demand, and for a link to lines. */
export function ScriptCode({ script, preview }: { script: PageScript; preview: Preview }) {
  const api = useApi()
  const { hash } = useLocation()
  const [isRequested, setRequested] = useState(false)
  // The server does not know the hash.
  const isHydrated = useIsHydrated()
  const fileName = `${script.slug}.luau`
  const copy = <CopyScript script={script} variant="ghost" size="sm" />
  const previewFrame = (
    <CodePreview preview={preview} fileName={fileName} script={script} onOpen={() => setRequested(true)}>
      {copy}
    </CodePreview>
  )
  if (!isRequested && !(isHydrated && LINE_HASH.test(hash))) return previewFrame
  return (
    <Suspense fallback={previewFrame}>
      <CodeViewer key={script.content_sha256} load={() => loadCode(api, script)} fileName={fileName} hasLineLinks>
        {copy}
      </CodeViewer>
    </Suspense>
  )
}

interface PreviewProps {
  script: PageScript
  preview: Preview
  fileName: string
  onOpen: () => void
  children: ReactNode
}

/** The preview in a scrolling frame with line numbers, and a switch that wraps long lines. */
function CodePreview({ script, preview, fileName, onOpen, children }: PreviewProps) {
  const [isWrapped, setWrapped] = useState(false)
  const { lines, isCut } = useHighlighted(preview)
  const shown = isCut ? withEllipsis(lines) : lines
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
              <Line key={index} line={line} isLast={index === shown.length - 1} />
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
          {isCut ? `Show all ${lineText(preview.lineCount)}` : 'Find, format and link lines'}
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

const lineText = (count: number) => (count === 1 ? '1 line' : `${fullCount(count)} lines`)

function withEllipsis(lines: readonly CodeLine[]): CodeLine[] {
  return [...lines.slice(0, -1), [...(lines.at(-1) ?? []), ['text', '…']]]
}

/** Classes by kind of token. */
export const tokenColors: Record<TokenKind, string> = {
  text: '',
  comment: 'text-code-comment italic',
  keyword: 'text-code-keyword',
  function: 'text-code-function',
  constant: 'text-code-constant',
  string: 'text-code-string',
  parameter: 'text-code-parameter',
  punctuation: 'text-code-punctuation',
}

/** The line number is generated content, so it is neither selected nor copied. */
function Line({ line, isLast }: { line: CodeLine; isLast: boolean }) {
  return (
    <span
      dir="ltr"
      className="block pr-4 pl-11 sm:pl-14 [counter-increment:line] before:absolute before:left-0 before:w-8 sm:before:w-10 before:text-right before:text-muted before:content-[counter(line)/'']"
    >
      {Array.from(line.entries(), ([index, [kind, text]]) => (
        <span key={index} className={tokenColors[kind] || undefined}>
          <CodeText text={text} />
        </span>
      ))}
      {isLast ? '' : '\n'}
    </span>
  )
}
