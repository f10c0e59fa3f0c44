import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Draft as StoredDraft } from '#contract/drafts.ts'
import { hasSameImages } from '#web/features/script-edit/form/values.ts'
import { useApi } from '#web/lib/api-context.ts'
import { copyDraft, type DraftSlot, removeDraft, writeDraft } from '#web/lib/drafts.ts'
import { DraftSync, type ServerCopy } from './draft-sync.ts'
import { hasChanges, type LocalEdit, toEditContent } from './edit-draft.ts'
import type { EditState } from './edit-state.ts'
import { isSynced } from './open-edit.ts'

const SAVE_DELAY_MS = 250

interface Options {
  slot: DraftSlot
  scriptId: number
  edit: EditState
  server: ServerCopy
  /** Another device stored changes, which those of this form replace. */
  onReplace: (stored: StoredDraft) => void
}

/** Stores unsaved changes in this browser and in the account. On unmount, saves and releases the slot. */
export function useEditAutosave({ slot, scriptId, edit, server, onReplace }: Options) {
  const isDiscarded = useRef(false)
  const latest = useRef(edit)
  const stored = useRef(edit)
  const copy = useRef(server)
  const savedAt = useRef(0)
  useLayoutEffect(() => {
    latest.current = edit
  }, [edit])
  const draftOf = ({ base, baseUpdatedAt, values, changelog }: EditState): LocalEdit => ({
    base,
    baseUpdatedAt,
    values,
    changelog,
    savedAt: savedAt.current,
    server: copy.current,
  })
  const sync = useSync({
    slot,
    scriptId,
    copy,
    latest,
    isDiscarded,
    onReplace,
    onSaved: () => void save(latest.current),
  })
  const remove = () => {
    void sync.current?.remove()
    return removeDraft(slot.name).catch(() => undefined)
  }
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
  const opened = useRef(edit)
  useEffect(() => {
    isDiscarded.current = false
    if (edit !== opened.current) {
      savedAt.current = Date.now()
      copy.current = { ...copy.current, isSame: false }
      if (hasChanges(edit)) sync.current?.schedule()
    }
    // Images are too large for the copy that a page makes when it is left.
    const delay = hasSameImages(edit.values, stored.current.values) ? SAVE_DELAY_MS : 0
    const timer = setTimeout(() => void saveEdit(edit), delay)
    return () => clearTimeout(timer)
  }, [edit, sync])
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

interface SyncOptions extends Pick<Options, 'slot' | 'scriptId' | 'onReplace'> {
  copy: { current: ServerCopy }
  latest: { readonly current: EditState }
  isDiscarded: { readonly current: boolean }
  onSaved: () => void
}

/** Stores the changes in the account, of the first tab that edits the script. */
function useSync({ slot, scriptId, copy, latest, isDiscarded, ...events }: SyncOptions) {
  const api = useApi()
  const sync = useRef<DraftSync>(undefined)
  const finish = useEffectEvent(events.onSaved)
  const replace = useEffectEvent(events.onReplace)
  useEffect(() => {
    if (!isSynced(slot)) return
    const opened = new DraftSync({
      api,
      key: String(scriptId),
      copy: copy.current,
      read: () => (hasChanges(latest.current) && !isDiscarded.current ? toEditContent(latest.current) : undefined),
      onSaved: (saved) => {
        copy.current = saved
        finish()
      },
      onReplace: (stored) => replace(stored),
    })
    sync.current = opened
    return () => opened.close()
  }, [api, slot, scriptId, copy, latest, isDiscarded])
  return sync
}
