import { useSyncExternalStore } from 'react'
import { relativeTime } from '../lib/relative-time.ts'
import { useRootData } from '../lib/root-data.ts'

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

/** How long ago something was. At first by the clock of the page's making, so that server and browser agree. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const madeAt = Date.parse(useRootData().now)
  const at = useSyncExternalStore(
    subscribe,
    () => now,
    () => madeAt,
  )
  return (
    <time dateTime={iso} title={`${iso.slice(0, 16).replace('T', ' ')} UTC`} className={className}>
      {relativeTime(iso, new Date(at))}
    </time>
  )
}
