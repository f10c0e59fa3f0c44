import type { ScriptVersion } from '#contract/scripts.ts'
import { valuesOf } from '#web/features/script-edit/form/values.ts'
import { isRecord } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'
import { type DraftSlot, readDraft } from '#web/lib/drafts.ts'
import { type EditDraft, type EditState, rebase } from './edit-state.ts'

/** Loads the script and restores unsaved changes, merged if the script has changed since. */
export async function openEdit(api: Api, slot: DraftSlot, id: number): Promise<EditState> {
  const [{ script, usedVersions }, draft] = await Promise.all([
    loadScript(api, id),
    readDraft(slot.name).catch(() => undefined),
  ])
  const saved = valuesOf(script)
  const loaded = {
    usedVersions,
    base: saved,
    baseUpdatedAt: script.updated_at,
    authorId: script.author_id,
    isHidden: script.is_hidden,
  }
  if (!isEditDraft(draft)) {
    return { ...loaded, values: saved, isVersionTyped: false, changelog: '', isRestored: false, conflict: undefined }
  }
  const { changelog } = draft
  // A draft of an older release lacks newer fields.
  const base = { ...saved, ...draft.base }
  const values = { ...saved, ...draft.values }
  const isVersionTyped = values.version !== base.version
  if (draft.baseUpdatedAt === script.updated_at) {
    return { ...loaded, values, isVersionTyped, changelog, isRestored: true, conflict: undefined }
  }
  const restored: EditState = {
    ...loaded,
    base,
    values,
    isVersionTyped,
    changelog,
    isRestored: true,
    conflict: undefined,
  }
  return rebase(restored, loaded)
}

/** The script, whatever its title is now, and the numbers of its versions. */
export async function loadScript(api: Api, id: number) {
  const [{ script }, { versions }] = await Promise.all([
    api('GET /api/script-details-slug', { query: { slug: `script-${id}` } }),
    api('GET /api/script-versions', { query: { id } }),
  ])
  const script_content = script.script_content || (await readLastCode(api, id, versions))
  return { script: { ...script, script_content }, usedVersions: versions.map(({ version }) => version) }
}

/** The code to start from if the current version is withdrawn: the newest that was published, or else the withdrawn code. */
async function readLastCode(api: Api, id: number, versions: readonly ScriptVersion[]): Promise<string> {
  const last = versions.find(({ state }) => state === 'former') ?? versions.find(({ state }) => state === 'withdrawn')
  if (!last) return ''
  return (await api('GET /api/script-version', { query: { id, number: last.number } })).version.script_content
}

function isEditDraft(value: unknown): value is EditDraft {
  return (
    isRecord(value) &&
    isRecord(value['base']) &&
    isRecord(value['values']) &&
    typeof value['baseUpdatedAt'] === 'string'
  )
}
