import { Suspense, useEffect, useId, useState } from 'react'
import type { BehaviorView } from '#web/shared/behavior/behavior-view.ts'
import { loadBehavior } from '#web/shared/behavior/load-behavior.ts'
import { findingId, showFinding } from '#web/shared/behavior/show-finding.ts'
import type { LineRange } from '#web/shared/code-viewer/line-range.ts'
import { useApi } from '#web/lib/api-context.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { Button } from '#web/ui/button.tsx'

const CodeViewer = lazyComponent(async () => (await import('#web/shared/code-viewer/code-viewer.tsx')).CodeViewer)
const BehaviorCard = lazyComponent(async () => (await import('#web/shared/behavior/behavior-card.tsx')).BehaviorCard)

interface Props {
  scriptId: number
  title: string
  /** The version that waits; otherwise the current one. */
  version?: number | undefined
}

/** The behavior card and the whole code of a reported script, or the code of a version that waits, loaded on demand. */
export function CaseCode({ scriptId, title, version }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-2">
      <Button
        size="sm"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'} code of ${title}`}
        onClick={() => setOpen(!isOpen)}
        className="self-start"
      >
        {isOpen ? 'Hide code' : 'Show code'}
      </Button>
      {isOpen && (
        <Suspense fallback={<p className="text-muted">Loading...</p>}>
          <OpenCode scriptId={scriptId} title={title} version={version} />
        </Suspense>
      )}
    </div>
  )
}

function OpenCode({ scriptId, title, version }: Props) {
  const api = useApi()
  const scope = `${useId()}-`
  // The card describes the current version.
  const card = useBehavior(scriptId)
  const behavior = version === undefined ? card : null
  const [lines, setLines] = useState<LineRange>()
  const load = async () => {
    if (version !== undefined) {
      const held = await api('GET /api/script-version', { query: { id: scriptId, number: version } })
      return held.version.script_content
    }
    const { script } = await api('GET /api/script-details-slug', { query: { slug: `x-${scriptId}` } })
    return script.script_content
  }
  return (
    <>
      {behavior && (
        <BehaviorCard behavior={behavior} scope={scope} onLine={(line) => setLines({ first: line, last: line })} />
      )}
      <CodeViewer
        load={load}
        fileName={title}
        lines={lines}
        marks={behavior?.marks}
        onMark={({ id }) => showFinding(findingId(id, scope))}
      />
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
