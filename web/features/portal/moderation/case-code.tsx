import { Suspense, useEffect, useId, useState } from 'react'
import type { ReportCase } from '#contract/reports.ts'
import type { BehaviorView } from '#web/shared/behavior/behavior-view.ts'
import { loadBehavior } from '#web/shared/behavior/load-behavior.ts'
import { findingId, showFinding } from '#web/shared/behavior/show-finding.ts'
import { CodeDiff } from '#web/shared/code-diff/code-diff.tsx'
import type { LineRange } from '#web/shared/code-viewer/line-range.ts'
import { useApi } from '#web/lib/api-context.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { Button } from '#web/ui/button.tsx'
import { loadCode } from './load-code.ts'

const CodeViewer = lazyComponent(async () => (await import('#web/shared/code-viewer/code-viewer.tsx')).CodeViewer)
const BehaviorCard = lazyComponent(async () => (await import('#web/shared/behavior/behavior-card.tsx')).BehaviorCard)

type View = 'difference' | 'code' | 'none'

const LABELS = {
  difference: { none: 'Compare with the version before', shown: 'Hide the difference' },
  code: { none: 'Show code', shown: 'Hide code' },
}

interface Props {
  reportCase: ReportCase
  /** Whether the case was opened: then its code is, too. */
  isActive: boolean
}

/** The code of a reported script or of the version that waits, and its difference to the version before, loaded on demand. */
export function CaseCode({ reportCase, isActive }: Props) {
  const { subject_id, subject_title, held_version, compare } = reportCase
  const [chosen, setChosen] = useState<View>()
  const views = compare ? (['difference', 'code'] as const) : (['code'] as const)
  const view = chosen ?? (isActive ? views[0] : 'none')
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {views.map((name) => {
          const label = LABELS[name][view === name ? 'shown' : 'none']
          return (
            <Button
              key={name}
              size="sm"
              aria-expanded={view === name}
              aria-label={`${label}: ${subject_title}`}
              onClick={() => setChosen(view === name ? 'none' : name)}
            >
              {label}
            </Button>
          )
        })}
      </div>
      {view === 'difference' && compare && <CodeDiff scriptId={subject_id} from={compare.from} to={compare.to} />}
      {view === 'code' && (
        <Suspense fallback={<p className="text-muted">Loading...</p>}>
          <OpenCode scriptId={subject_id} title={subject_title} version={held_version?.number} />
        </Suspense>
      )}
    </div>
  )
}

interface CodeProps {
  scriptId: number
  title: string
  /** The version that waits; otherwise the current one. */
  version: number | undefined
}

function OpenCode({ scriptId, title, version }: CodeProps) {
  const api = useApi()
  const scope = `${useId()}-`
  // The card describes the current version.
  const card = useBehavior(scriptId)
  const behavior = version === undefined ? card : null
  const [lines, setLines] = useState<LineRange>()
  return (
    <>
      <CodeViewer
        load={() => loadCode(api, scriptId, version)}
        fileName={title}
        lines={lines}
        marks={behavior?.marks}
        onMark={({ id }) => showFinding(findingId(id, scope))}
      />
      {behavior && (
        <BehaviorCard behavior={behavior} scope={scope} onLine={(line) => setLines({ first: line, last: line })} />
      )}
    </>
  )
}
/** The behavior card, once it is loaded. The code is shown without it if it cannot be loaded. */
function useBehavior(scriptId: number): BehaviorView | null {
  const api = useApi()
  const [behavior, setBehavior] = useState<BehaviorView | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    void loadBehavior(api, scriptId, signal).then((loaded) => signal.aborted || setBehavior(loaded))
    return () => controller.abort()
  }, [api, scriptId])
  return behavior
}
