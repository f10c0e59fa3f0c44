import type { ScriptValues } from '#web/components/script-form/values.ts'
import { acquireDraftSlot, type DraftSlot, readDraft, removeDraft, writeDraft } from '#web/lib/drafts.ts'

/** Changes that are not saved yet, with the state that they were made from. */
export interface EditDraft {
  base: ScriptValues
  baseUpdatedAt: string
  values: ScriptValues
  changelog: string
}

/** Where a member's changes of one script are kept: a place of this tab's own until `leave`. */
export const takeEditPlace = (memberId: number, scriptId: number): Promise<DraftSlot> =>
  acquireDraftSlot(`edit:${memberId}:${scriptId}`)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** What was kept, undefined where nothing is or the browser keeps nothing. */
export async function findEditDraft({ name }: DraftSlot): Promise<EditDraft | undefined> {
  const kept = await readDraft(name).catch(() => undefined)
  return isEditDraft(kept) ? kept : undefined
}

function isEditDraft(kept: unknown): kept is EditDraft {
  return (
    isRecord(kept) && isRecord(kept['base']) && isRecord(kept['values']) && typeof kept['baseUpdatedAt'] === 'string'
  )
}

export async function keepEditDraft({ name }: DraftSlot, draft: EditDraft): Promise<void> {
  await writeDraft(name, draft).catch(() => undefined)
}

export async function dropEditDraft({ name }: DraftSlot): Promise<void> {
  await removeDraft(name).catch(() => undefined)
}
