import { createContext, useContext, useEffect } from 'react'

const REFRESH_MS = 30_000
const CHECK_MS = 1000

/** Loads again what is on screen. Gives what went wrong, undefined when all went well. */
type Load = (isQuiet: boolean) => Promise<unknown>

/** Keeps what the portal shows fresh: on demand, and every 30 seconds while nobody would be disturbed. */
export function createRefresher() {
  const loads = new Set<Load>()
  let holds = 0
  let loadedAt = Date.now()

  async function refresh(isQuiet: boolean): Promise<unknown> {
    loadedAt = Date.now()
    const failures = await Promise.all([...loads].map((load) => load(isQuiet)))
    return failures.find((failure) => failure !== undefined)
  }

  return {
    refresh,
    add: (load: Load) => {
      loads.add(load)
      return () => void loads.delete(load)
    },
    /** Nothing is refreshed by itself until the answer is called. */
    hold: () => {
      holds += 1
      return () => void (holds -= 1)
    },
    start: () => {
      const timer = setInterval(() => {
        const isDue = Date.now() - loadedAt >= REFRESH_MS
        if (isDue && holds === 0 && !document.hidden && !isInUse()) void refresh(false)
      }, CHECK_MS)
      return () => clearInterval(timer)
    },
  }
}

/** Whether something stands open or is being written or marked that new figures would pull from under the hand. */
function isInUse(): boolean {
  if (document.querySelector('dialog[open], :popover-open')) return true
  if (document.activeElement?.matches('textarea, select, input:not([type=checkbox], [type=radio])')) return true
  const marked = getSelection()
  return marked !== null && !marked.isCollapsed
}

export type Refresher = ReturnType<typeof createRefresher>

export const RefresherContext = createContext<Refresher>(createRefresher())

/** While true, nothing is refreshed by itself. */
export function useHold(isHeld: boolean): void {
  const { hold } = useContext(RefresherContext)
  useEffect(() => (isHeld ? hold() : undefined), [isHeld, hold])
}
