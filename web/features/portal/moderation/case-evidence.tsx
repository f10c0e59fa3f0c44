import { useEffect, useState } from 'react'
import type { CaseFinding, ReportCase } from '#contract/reports.ts'
import { useApi } from '#web/lib/api-context.ts'
import { findingTitle } from '#web/shared/case-reasons.ts'
import { CodeText, tokenColors } from '#web/shared/code-diff/code-text.tsx'
import { highlight } from '#web/shared/code-diff/highlight.ts'
import type { CodeLine } from '#web/shared/markdown/luau-tokens.ts'
import { useNear } from '#web/ui/use-near.ts'
import { cutLine, groupByKind, groupFindings, type Snippet, splitAtHosts } from './evidence.ts'
import { loadCode } from './load-code.ts'

/** Makes the code focusable, so that the keyboard can scroll it. */
const FOCUSABLE = 0

interface Props {
  reportCase: ReportCase
  findings: readonly CaseFinding[]
  /** Why the site opened the case. */
  text: string
}

/** What the site found in a script: the lines around it, with the hosts that they name. */
export function CaseEvidence({ reportCase, findings, text }: Props) {
  const { subject_type, subject_id, version_number } = reportCase
  const { target, isNear } = useNear<HTMLDivElement>()
  const hasLines = subject_type === 'script' && findings.some(({ line }) => line !== null)
  const code = useCode(subject_id, version_number, isNear && hasLines)
  const { snippets, others } = groupFindings(findings, code?.lines.length ?? 0)
  return (
    <div ref={target} className="flex min-w-0 flex-col gap-2">
      <p className="text-muted">{text}</p>
      <ul aria-label="Found" className="flex min-w-0 flex-col gap-3">
        {snippets.map((snippet) => (
          <li key={snippet.first} className="overflow-hidden rounded-md border border-line bg-surface-1">
            <Kinds findings={snippet.findings} />
            {code && <SnippetCode snippet={snippet} lines={code.lines} tokens={code.tokens} />}
          </li>
        ))}
        {groupByKind(others).map(({ id }) => (
          <li key={id} className="overflow-hidden rounded-md border border-line bg-surface-1">
            <Kinds findings={others.filter((finding) => finding.id === id)} />
            <Excerpts findings={others.filter((finding) => finding.id === id)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Kinds({ findings }: { findings: readonly CaseFinding[] }) {
  return groupByKind(findings).map(({ id, where, details }) => (
    <div key={id} className="px-3 py-2 wrap-anywhere">
      <p>
        <span className="font-medium">{findingTitle({ id })}</span>
        {where && <span className="text-muted tabular-nums">, {where}</span>}
      </p>
      {details.map((detail) => (
        <p key={detail} dir="auto" className="text-sm text-muted">
          {detail}
        </p>
      ))}
    </div>
  ))
}

const codeClass =
  'overflow-x-auto border-t border-line bg-surface-0 py-1.5 font-mono text-sm/6 [font-variant-ligatures:none] [tab-size:4] focus-visible:-outline-offset-2'

/** The lines that were stored with the case, while the code is loading and if it cannot be loaded. */
function Excerpts({ findings }: { findings: readonly CaseFinding[] }) {
  const excerpts = [...new Set(findings.map(({ excerpt }) => excerpt).filter((excerpt) => excerpt !== ''))]
  if (excerpts.length === 0) return null
  return (
    <pre dir="ltr" tabIndex={FOCUSABLE} className={`${codeClass} px-3`}>
      <code>
        <CodeText text={excerpts.join('\n')} />
      </code>
    </pre>
  )
}

interface SnippetProps extends LoadedCode {
  snippet: Snippet
}

function SnippetCode({ snippet: { first, last, findings }, lines, tokens }: SnippetProps) {
  const found = new Set(findings.map(({ line }) => line))
  const hosts = [...new Set(findings.flatMap(({ host }) => host ?? []))]
  return (
    <pre dir="ltr" tabIndex={FOCUSABLE} className={codeClass}>
      {lines.slice(first - 1, last).map((line, index) => {
        const number = first + index
        const isFound = found.has(number)
        return (
          <span
            key={number}
            className={`flex w-max min-w-full border-l-3 ${isFound ? 'border-warning bg-surface-2' : 'border-transparent'}`}
          >
            <span className="w-12 shrink-0 pr-3 text-right text-muted tabular-nums select-none">{number}</span>
            {isFound && <span className="sr-only">Found: </span>}
            <code className="pr-4">
              <Line text={line} tokens={tokens[number - 1]} hosts={hosts} />
            </code>
          </span>
        )
      })}
    </pre>
  )
}

/** A line with its hosts marked. Highlighted, unless it was cut. */
function Line({ text, tokens, hosts }: { text: string; tokens: CodeLine | undefined; hosts: readonly string[] }) {
  const shown = cutLine(text, hosts)
  const parts: CodeLine = tokens && shown === text ? tokens : [['text', shown]]
  return Array.from(parts.entries(), ([index, [kind, part]]) => (
    <span key={index} className={tokenColors[kind] || undefined}>
      {Array.from(splitAtHosts(part, hosts).entries(), ([piece, { text: written, isHost }]) =>
        isHost ? (
          <mark key={piece} className="rounded-sm bg-warning px-0.5 font-semibold text-surface-0">
            <CodeText text={written} />
          </mark>
        ) : (
          <CodeText key={piece} text={written} />
        ),
      )}
    </span>
  ))
}

interface LoadedCode {
  lines: readonly string[]
  /** None if the code is not highlighted. */
  tokens: readonly CodeLine[]
}

/** The code of a version. Undefined while loading and on errors. */
function useCode(scriptId: number, number: number | null, isNeeded: boolean): LoadedCode | undefined {
  const api = useApi()
  const [loaded, setLoaded] = useState<LoadedCode>()
  useEffect(() => {
    if (!isNeeded) return undefined
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      const code = await loadCode(api, scriptId, number, signal)
      const tokens = await highlight(code)
      if (!signal.aborted) setLoaded({ lines: code.split(/\r\n|\r|\n/), tokens })
    }
    load().catch(() => undefined)
    return () => controller.abort()
  }, [api, scriptId, number, isNeeded])
  return loaded
}
