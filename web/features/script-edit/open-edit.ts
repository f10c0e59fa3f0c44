import type { ScriptVersion } from '#contract/scripts.ts'
import { valuesOf } from '#web/features/script-edit/form/values.ts'
import type { Api } from '#web/lib/client.ts'
import { type DraftSlot, readDraft } from '#web/lib/drafts.ts'
import type { ServerCopy } from './draft-sync.ts'
import { chooseEdit, reviveEdit } from './edit-draft.ts'
import { type EditState, restoreEdit } from './edit-state.ts'

export interface OpenedEdit {
  edit: EditState
  /** What this browser knows about the changes in the account. */
  server: ServerCopy
}

/** Loads the script and restores unsaved changes of this browser or another device, merged if the script has changed since. */
export async function openEdit(api: Api, slot: DraftSlot, id: number): Promise<OpenedEdit> {
  const [{ script, usedVersions }, local, stored] = await Promise.all([
    loadScript(api, id),
    readDraft(slot.name).catch(() => undefined),
    // Missing, or the server cannot be reached: the changes in this browser go on.
    isSynced(slot) ? api('GET /api/draft', { query: { key: String(id) } }).catch(() => undefined) : undefined,
  ])
  const base = valuesOf(script)
  const edit: EditState = {
    usedVersions,
    base,
    baseUpdatedAt: script.updated_at,
    authorId: script.author_id,
    isHidden: script.is_hidden,
    values: base,
    isVersionTyped: false,
    changelog: '',
    isRestored: false,
    conflict: undefined,
    other: undefined,
  }
  const { draft, other, server } = chooseEdit(reviveEdit(local), stored, edit)
  if (!draft) return { edit, server }
  // A draft of an older release lacks newer fields.
  const { baseUpdatedAt, changelog } = draft
  const whole = { baseUpdatedAt, changelog, base: { ...base, ...draft.base }, values: { ...base, ...draft.values } }
  return { edit: { ...restoreEdit(edit, whole), other }, server }
}

/** Whether the changes of this tab follow the member: those of the first one that edits the script. */
export const isSynced = ({ name }: DraftSlot): boolean => name.endsWith(':0')

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
