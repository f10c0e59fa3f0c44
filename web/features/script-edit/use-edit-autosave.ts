import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { changedFields, hasSameImages } from '#web/features/script-edit/form/values.ts'
import { copyDraft, type DraftSlot, removeDraft, writeDraft } from '#web/lib/drafts.ts'
import type { EditDraft, EditState } from './edit-state.ts'

const SAVE_DELAY_MS = 250

const draftOf = ({ base, baseUpdatedAt, values, changelog }: EditState): EditDraft => ({
  base,
  baseUpdatedAt,
  values,
  changelog,
})
const hasChanges = ({ base, values }: EditState) => changedFields(base, values).length > 0

/** Stores unsaved changes in this browser. On unmount, saves and releases the slot. */
export function useEditAutosave(slot: DraftSlot, edit: EditState) {
  const isDiscarded = useRef(false)
  const latest = useRef(edit)
  const stored = useRef(edit)
  useLayoutEffect(() => {
    latest.current = edit
  }, [edit])
  const remove = () => removeDraft(slot.name).catch(() => undefined)
  const save = async (state: EditState) => {
    if (isDiscarded.current) return
    if (!hasChanges(state)) return remove()
    try {
      await writeDraft(slot.name, draftOf(state))
      stored.current = state
    } catch {
      // The browser cannot store drafts: the form works without them.
    }
  }
  const saveEdit = useEffectEvent(save)
  const saveLatest = useEffectEvent(() => save(edit))
  const leave = useEffectEvent(() => {
    if (edit !== stored.current && hasChanges(edit) && !isDiscarded.current) copyDraft(slot.name, draftOf(edit))
    void save(edit)
  })
  useEffect(() => {
    isDiscarded.current = false
    // Images are too large for the copy that a page makes when it is left.
    const delay = hasSameImages(edit.values, stored.current.values) ? SAVE_DELAY_MS : 0
    const timer = setTimeout(() => void saveEdit(edit), delay)
    return () => clearTimeout(timer)
  }, [edit])
  useEffect(() => {
    const controller = new AbortController()
    addEventListener('pagehide', () => leave(), { signal: controller.signal })
    return () => {
      controller.abort()
      void saveLatest().finally(() => slot.release())
    }
  }, [slot])
  return {
    discard: async () => {
      isDiscarded.current = true
      await remove()
    },
    /** Stores the newest changes with an update, also after unmount. */
    replace: (update: (current: EditState) => EditState) => save(update(latest.current)),
  }
}
