import { useState } from 'react'
import type { HoldReason } from '#contract/versions.ts'
import { CodeDiff } from '#web/shared/code-diff/code-diff.tsx'
import { CodeText } from '#web/shared/code-diff/code-text.tsx'
import { Button } from '#web/ui/button.tsx'
import { groupByLine, lineOf, titleOf } from './waiting-view.ts'

/** Makes the code focusable, so that the keyboard can scroll it. */
const FOCUSABLE = 0

interface Props {
  reasons: readonly HoldReason[]
  /** The code of the version, once it is loaded. */
  code: string | undefined
}

/** Why a version waits: the findings by line, with the code and what the analysis says about it. */
export function HoldReasons({ reasons, code }: Props) {
  return (
    <ul aria-label="Why it waits" className="flex flex-col gap-3">
      {groupByLine(reasons).map(({ line, reasons: ofLine }) => (
        <li key={String(line)} className="flex min-w-0 flex-col gap-1">
          {Array.from(ofLine.entries(), ([index, reason]) => (
            <p key={index} className="flex flex-wrap items-baseline gap-x-3 wrap-anywhere">
              <span className="font-medium">{titleOf(reason)}</span>
              <span className="text-sm text-muted tabular-nums">
                {[line === null ? '' : `line ${line}`, reason.host ?? ''].filter(Boolean).join(' · ')}
              </span>
            </p>
          ))}
          <EvidenceLine line={lineOf(code, line)} />
          {[...new Set(ofLine.flatMap(({ detail }) => detail ?? []))].map((detail) => (
            <p key={detail} dir="auto" className="text-sm text-muted wrap-anywhere">
              {detail}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}

function EvidenceLine({ line }: { line: string | undefined }) {
  if (!line) return null
  return (
    <pre
      dir="ltr"
      tabIndex={FOCUSABLE}
      className="overflow-x-auto rounded-sm border border-line bg-surface-0 px-3 py-1.5 font-mono text-sm/6 [font-variant-ligatures:none]"
    >
      <code>
        <CodeText text={line} />
      </code>
    </pre>
  )
}

interface DifferenceProps {
  scriptId: number
  /** Numbers of versions. */
  from: number
  to: number
}

/** The difference to the code that visitors get, on demand. */
export function Difference({ scriptId, from, to }: DifferenceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="self-start">
        {isOpen ? 'Hide the difference' : 'Compare with the current code'}
      </Button>
      {isOpen && <CodeDiff scriptId={scriptId} from={from} to={to} />}
    </div>
  )
}
