import { useSyncExternalStore } from 'react'
import { useRootData } from './root-data.ts'

const TICK_MS = 30_000

// One clock for all times on a page. Constant between ticks, as useSyncExternalStore requires.
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

/**
 * A value derived from the time in milliseconds, updated twice a minute. While hydrating, from the time of the server's
 * rendering. The component renders again only if the value changes.
 */
export function useNowValue<T>(derive: (now: number) => T): T {
  const renderedAt = Date.parse(useRootData().now)
  return useSyncExternalStore(
    subscribe,
    () => derive(now),
    () => derive(renderedAt),
  )
}

const wholeTime = (time: number) => time

/** The time itself, for small components. */
export const useNow = (): number => useNowValue(wholeTime)
