import { useState } from 'react'
import type { Profile } from '#contract/members.ts'

/** A profile whose reputation moves under the viewer's hand, until it is loaded anew. */
export function useLiveReputation(loaded: Profile) {
  const [moved, setMoved] = useState<{ of: Profile; to: number }>()
  const setReputation = (to: number) => setMoved({ of: loaded, to })
  const stats = loaded.script_stats
  if (!stats || moved?.of !== loaded) return { profile: loaded, setReputation }
  return { profile: { ...loaded, script_stats: { ...stats, reputation: moved.to } }, setReputation }
}
