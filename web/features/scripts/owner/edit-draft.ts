import type { ScriptValues } from '../../../components/script-form/values.ts'
import { readDraft, removeDraft, writeDraft } from '../../../lib/draft-store.ts'

/** Changes that are not saved yet, with the state that they were made from. */
export interface EditDraft {
  base: ScriptValues
  baseUpdatedAt: string
  values: ScriptValues
  changelog: string
}

const nameOf = (memberId: number, scriptId: number) => `edit:${memberId}:${scriptId}`
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** What was kept, undefined where nothing is or the browser keeps nothing. */
export async function findEditDraft(memberId: number, scriptId: number): Promise<EditDraft | undefined> {
  const kept = await readDraft(nameOf(memberId, scriptId)).catch(() => undefined)
  return isEditDraft(kept) ? kept : undefined
}

function isEditDraft(kept: unknown): kept is EditDraft {
  return (
    isRecord(kept) && isRecord(kept['base']) && isRecord(kept['values']) && typeof kept['baseUpdatedAt'] === 'string'
  )
}

export async function keepEditDraft(memberId: number, scriptId: number, draft: EditDraft): Promise<void> {
  await writeDraft(nameOf(memberId, scriptId), draft).catch(() => undefined)
}

export async function dropEditDraft(memberId: number, scriptId: number): Promise<void> {
  await removeDraft(nameOf(memberId, scriptId)).catch(() => undefined)
}
