import { useSyncExternalStore } from 'react'
import { useRootData } from './root-data.ts'

const TICK_MS = 30_000

// One clock for all times on a page. It stands still between its ticks, as React asks of a store.
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick() {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) now = Date.now()
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time in milliseconds, anew twice a minute. At first that of the page's making, so that server and browser agree. */
export function useNow(): number {
  const madeAt = Date.parse(useRootData().now)
  return useSyncExternalStore(
    subscribe,
    () => now,
    () => madeAt,
  )
}
