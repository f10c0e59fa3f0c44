import type { Api } from '#web/lib/client.ts'
import { type BehaviorView, viewBehavior } from './behavior-view.ts'

/** Loads a script's card and what its current version changes. Null if the card cannot be loaded. */
export async function loadBehavior(api: Api, id: number, signal: AbortSignal): Promise<BehaviorView | null> {
  const [current, changed] = await Promise.all([
    api('GET /api/script-behavior', { query: { id }, signal }).catch(() => null),
    api('GET /api/script-behavior-changes', { query: { id }, signal }).catch(() => null),
  ])
  return current && viewBehavior(current.behavior, changed?.changes ?? [])
}
