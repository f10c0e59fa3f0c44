// Unsaved changes of a script: in this browser with their images, and in the account without them.
import type { Draft as StoredDraft, DraftContent, DraftValues } from '#contract/drafts.ts'
import { changedFields, type FieldName, type ScriptValues } from '#web/features/script-edit/form/values.ts'
import { isRecord } from '#web/lib/api-error.ts'
import { hasSameFields, reviveCopy, reviveValues, toDraftValues } from './draft-record.ts'
import { chooseState, NO_COPY, type ServerCopy } from './draft-sync.ts'
import type { EditDraft, EditState, OtherEdit } from './edit-state.ts'

export const hasChanges = ({ base, values }: Pick<EditDraft, 'base' | 'values'>) =>
  changedFields(base, values).length > 0

/** Unsaved changes as this browser stores them. */
export interface LocalEdit extends EditDraft {
  savedAt: number
  server: ServerCopy
}

/** Reads stored changes, which may come from an older release. */
export function reviveEdit(stored: unknown): LocalEdit | undefined {
  if (!isEditDraft(stored)) return undefined
  const { savedAt = 0, server } = stored
  return { ...stored, savedAt, server: reviveCopy(server) }
}

const isEditDraft = (value: unknown): value is EditDraft & Partial<LocalEdit> =>
  isRecord(value) && isRecord(value['base']) && isRecord(value['values']) && typeof value['baseUpdatedAt'] === 'string'

const pick = (values: DraftValues, names: readonly FieldName[]): DraftValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.some((each) => each === name)))

/** The changed fields. Of the code only the new one, because a draft has room for one. */
export function toEditContent({ base, baseUpdatedAt, values, changelog }: EditDraft): DraftContent {
  const changed = changedFields(base, values)
  return {
    values: pick(toDraftValues(values), changed),
    base: pick(
      toDraftValues(base),
      changed.filter((name) => name !== 'script_content'),
    ),
    base_updated_at: baseUpdatedAt,
    changelog,
  }
}

/** Stored changes of a script. If it has changed since, the former code is unknown: code that differs has to be chosen. */
export function fromStored({ content }: StoredDraft, saved: ScriptValues, updatedAt: string): EditDraft {
  const { base_updated_at: baseUpdatedAt = '', changelog = '' } = content
  const isCurrent = baseUpdatedAt === updatedAt
  const hasCode = content.values.script_content !== undefined
  const base: ScriptValues = isCurrent
    ? saved
    : { ...reviveValues(content.base ?? {}, saved), ...(hasCode ? { script_content: '' } : {}) }
  return { base, baseUpdatedAt, values: reviveValues(content.values, saved), changelog }
}

type SavedState = Pick<EditState, 'base' | 'baseUpdatedAt'>

export const toOtherEdit = (stored: StoredDraft, { base, baseUpdatedAt }: SavedState): OtherEdit => ({
  draft: fromStored(stored, base, baseUpdatedAt),
  changedAt: stored.updated_at,
  from: 'device',
})

interface Chosen {
  draft: EditDraft | undefined
  server: ServerCopy
  other: OtherEdit | undefined
}

/** The unsaved changes that the form shows, and those of another device that it offers. */
export function chooseEdit(local: LocalEdit | undefined, stored: StoredDraft | undefined, saved: SavedState): Chosen {
  if (!stored) return { draft: local, server: local?.server ?? NO_COPY, other: undefined }
  const theirs = fromStored(stored, saved.base, saved.baseUpdatedAt)
  const server = { updatedAt: stored.updated_at, isSame: true }
  if (!local) return { draft: theirs, server, other: undefined }
  // If the response was lost, the stored state is what this browser sent.
  const isOwn = hasSameFields(local.values, theirs.values) && local.changelog === theirs.changelog
  const { shown, hasOther } = isOwn ? { shown: 'local', hasOther: false } : chooseState(local, stored)
  if (shown === 'local') {
    const other = hasOther ? toOtherEdit(stored, saved) : undefined
    return { draft: local, server: { ...server, isSame: isOwn || local.server.isSame }, other }
  }
  const { image, screenshots } = local.values
  const mine: OtherEdit = { draft: local, changedAt: new Date(local.savedAt).toISOString(), from: 'browser' }
  const draft = { ...theirs, values: { ...theirs.values, image, screenshots } }
  return { draft, server, other: hasOther ? mine : undefined }
}
