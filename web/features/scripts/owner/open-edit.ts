import { type ScriptValues, valuesOf } from '#web/components/script-form/values.ts'
import type { Api } from '#web/lib/client.ts'
import type { DraftSlot } from '#web/lib/drafts.ts'
import { findEditDraft } from './edit-draft.ts'
import { type Conflict, findConflict, mergeEdits } from './merge-edits.ts'

/** A script being edited. */
export interface Edited {
  /** The state that the changes count from, and when it was saved. */
  base: ScriptValues
  baseUpdatedAt: string
  values: ScriptValues
  changelog: string
  isRestored: boolean
  conflict: Conflict | undefined
}

/** The script's present state, with the member's unsaved changes of earlier. */
export async function openEdit(api: Api, place: DraftSlot, slug: string): Promise<Edited> {
  const [{ script }, draft] = await Promise.all([
    api('GET /api/script-details-slug', { query: { slug } }),
    findEditDraft(place),
  ])
  const present = valuesOf(script)
  const fresh = { base: present, baseUpdatedAt: script.updated_at }
  if (!draft) return { ...fresh, values: present, changelog: '', isRestored: false, conflict: undefined }
  const { changelog, values } = draft
  if (draft.baseUpdatedAt === script.updated_at) {
    return { ...fresh, values, changelog, isRestored: true, conflict: undefined }
  }
  const conflict = findConflict(draft.base, values, present)
  return { ...fresh, values: mergeEdits(conflict), changelog, isRestored: true, conflict }
}
