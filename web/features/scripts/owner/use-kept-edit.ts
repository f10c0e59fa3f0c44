import { useEffect, useEffectEvent, useRef } from 'react'
import { changedFields } from '#web/components/script-form/values.ts'
import type { DraftSlot } from '#web/lib/drafts.ts'
import { dropEditDraft, keepEditDraft } from './edit-draft.ts'
import type { Edited } from './open-edit.ts'

const PAUSE_MS = 250

/**
 * Keeps unsaved changes in this browser, so that a reload or the end of the session loses none of them. At the end the
 * place is left, for the next tab or the next time.
 */
export function useKeptEdit(place: DraftSlot, edit: Edited): { drop: () => Promise<void> } {
  const isDropped = useRef(false)
  const keep = async ({ base, baseUpdatedAt, values, changelog }: Edited) => {
    if (isDropped.current) return
    const isSame = changedFields(base, values).length === 0
    if (isSame) await dropEditDraft(place)
    else await keepEditDraft(place, { base, baseUpdatedAt, values, changelog })
  }
  const keepThis = useEffectEvent(keep)
  const keepLatest = useEffectEvent(() => keep(edit))
  useEffect(() => {
    isDropped.current = false
    const timer = setTimeout(() => void keepThis(edit), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [edit])
  useEffect(() => {
    const leaving = new AbortController()
    addEventListener('pagehide', () => void keepLatest(), { signal: leaving.signal })
    return () => {
      leaving.abort()
      void keepLatest().finally(() => place.release())
    }
  }, [place])
  return {
    drop: async () => {
      isDropped.current = true
      await dropEditDraft(place)
    },
  }
}
