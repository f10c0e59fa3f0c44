import LoaderCircle from 'lucide-react/icons/loader-circle'
import ScanSearch from 'lucide-react/icons/scan-search'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { BehaviorCard, Notice } from '#web/shared/behavior/behavior-card.tsx'
import type { BehaviorView } from '#web/shared/behavior/behavior-view.ts'
import { loadBehavior } from '#web/shared/behavior/load-behavior.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'

interface Props {
  scriptId: number
  behavior: BehaviorView
  /** Called with the result of an analysis that ended while the page was open. */
  onUpdate: (behavior: BehaviorView) => void
}

/** The behavior card of a script's page. Polls for the result while the analysis runs. */
export function ScriptBehavior({ scriptId, behavior, onUpdate }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [result, setResult] = useState<BehaviorView>()
  const isPending = behavior.status === 'pending'
  useResult(scriptId, isPending, (next) => {
    // Avoids a layout shift: a card in view changes only when the reader asks for it.
    if (frame.current && isInView(frame.current)) setResult(next)
    else onUpdate(next)
  })
  return (
    <div ref={frame}>
      <BehaviorCard behavior={behavior}>
        {isPending && <Progress hasFindings={behavior.groups.length > 0} onShow={result && (() => onUpdate(result))} />}
      </BehaviorCard>
    </div>
  )
}

function isInView(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top < innerHeight && bottom > 0
}

/** Both states have the same height. */
function Progress({ hasFindings, onShow }: { hasFindings: boolean; onShow: (() => void) | undefined }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 pr-4">
      <output className="min-w-0 flex-1 basis-64">
        <Notice
          icon={onShow ? ScanSearch : LoaderCircle}
          tone={onShow ? 'text-accent' : 'animate-spin text-accent'}
          title={onShow ? "We've finished checking this script" : "We're still running this script"}
        >
          {onShow
            ? 'Show what it did when we ran it.'
            : hasFindings
              ? 'What reading the code found is below.'
              : 'Results appear here, usually within seconds.'}
        </Notice>
      </output>
      <Button
        size="sm"
        variant="primary"
        onClick={onShow}
        className={`mb-3 ml-11 sm:mb-0 sm:ml-0 noscript:hidden ${onShow ? '' : 'invisible'}`}
      >
        Show results
      </Button>
    </div>
  )
}

const FIRST_DELAY_MS = 1000
const BACKOFF = 1.4
/** The delays add up to about four minutes. */
const MAX_ATTEMPTS = 14

/** Polls at growing intervals until the analysis has ended, except in a hidden tab. Gives up after some minutes. */
function useResult(scriptId: number, isPending: boolean, onResult: (behavior: BehaviorView) => void): void {
  const api = useApi()
  const end = useEffectEvent(onResult)
  useEffect(() => {
    if (!isPending) return undefined
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout>
    const schedule = (attempt: number) => {
      if (attempt < MAX_ATTEMPTS) timer = setTimeout(() => void ask(attempt), FIRST_DELAY_MS * BACKOFF ** attempt)
    }
    const ask = async (attempt: number) => {
      const next = document.hidden ? null : await loadBehavior(api, scriptId, signal)
      if (signal.aborted) return
      if (next && next.status !== 'pending') end(next)
      else schedule(attempt + 1)
    }
    schedule(0)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [api, scriptId, isPending])
}
