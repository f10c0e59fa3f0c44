import Hourglass from 'lucide-react/icons/hourglass'
import { type ReactNode, useEffect, useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'
import { declare } from './declaration.ts'
import { findSerious, type SeriousFinding } from './serious-findings.ts'
import type { ScriptCheck } from './use-script-check.ts'
import type { ScriptValues } from './values.ts'

interface Props {
  values: ScriptValues
  change: (change: Partial<ScriptValues>) => void
  check: ScriptCheck
  onLine: (line: number) => void
}

/** Before a first version: what keeps it from being public until it is declared, with one click to declare it. */
export function UndeclaredNotice({ values, change, check, onLine }: Props) {
  const findings = findSerious(check.behavior, values.declared_capabilities ?? [])
  if (!values.is_public || findings.length === 0) return null
  const ids = findings.map(({ id }) => id)
  return (
    <Notice title="Declare this, or your script waits" findings={findings} onLine={onLine}>
      <p className="text-muted">
        People should know this before they run your script. Until you declare it, only you can see the script.
      </p>
      <Button size="sm" variant="primary" onClick={() => change(declare(values, ids, []))} className="self-start">
        {ids.length === 1 ? 'Declare it' : 'Declare these'}
      </Button>
    </Notice>
  )
}

/** Before an update: what it starts, for which it waits until its author confirms it. */
export function StartsNotice({
  scriptId,
  isPublic,
  check,
  onLine,
}: Pick<Props, 'check' | 'onLine'> & { scriptId: number; isPublic: boolean }) {
  const current = useCurrentFindings(scriptId)
  const findings = current ? findSerious(check.behavior, current) : []
  if (!isPublic || findings.length === 0) return null
  return (
    <Notice title="This version will wait" findings={findings} onLine={onLine}>
      <p className="text-muted">
        Your current code doesn't do this. Nobody gets the new code until you have confirmed it, and your current
        version stays public until then.
      </p>
    </Notice>
  )
}

/** What the published code does; undefined until it is known. */
function useCurrentFindings(scriptId: number): string[] | undefined {
  const api = useApi()
  const [ids, setIds] = useState<string[]>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    api('GET /api/script-behavior', { query: { id: scriptId }, signal }).then(
      ({ behavior }) => setIds(behavior.capabilities.map(({ id }) => id)),
      () => undefined,
    )
    return () => controller.abort()
  }, [api, scriptId])
  return ids
}

interface NoticeProps {
  title: string
  findings: readonly SeriousFinding[]
  onLine: (line: number) => void
  children: ReactNode
}

function Notice({ title, findings, onLine, children }: NoticeProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 rounded-md border border-warning bg-surface-1 p-4">
      <p className="flex items-center gap-2 font-semibold">
        <Hourglass aria-hidden className="size-5 shrink-0 text-warning" />
        {title}
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {findings.map(({ id, text, line }) => (
          <li key={id} className="wrap-anywhere">
            It would {text}
            {line !== null && (
              <>
                ,{' '}
                <button
                  type="button"
                  onClick={() => onLine(line)}
                  className="min-h-11 cursor-pointer text-accent hover:underline sm:min-h-0"
                >
                  line {line}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}
