import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Script } from '#contract/scripts.ts'
import { describeUsedVersion, isUsedVersion, nextVersions } from '#contract/version-number.ts'
import { CONFIRM_SECRET, useDeclaration } from '#web/features/script-edit/form/use-declaration.ts'
import { useSubmit } from '#web/features/script-edit/form/use-submit.ts'
import {
  changeBody,
  changedFields,
  changeValues,
  type FieldErrors,
  type FieldName,
  hasSameImages,
  isSameValue,
  type ScriptValues,
  valuesOf,
} from '#web/features/script-edit/form/values.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError, isRecord } from '#web/lib/api-error.ts'
import { uploadImage } from '#web/lib/files.ts'
import type { Api } from '#web/lib/client.ts'
import { copyDraft, type DraftSlot, readDraft, removeDraft, writeDraft } from '#web/lib/drafts.ts'
import { useRevalidator } from '#web/router/router.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { describeSaved } from './saved-message.ts'
import { type Conflict, findConflict, mergeEdits, openFields, type Side } from './merge-edits.ts'

const UNAUTHORIZED = 401
const FAILED = 'Failed to save changes.'
const SIGNED_OUT = "You've been signed out. Sign in again; your changes are saved in this browser."
const SAVE_DELAY_MS = 250

export type Phase = 'idle' | 'saving' | 'saved' | 'failed'

/** Unsaved changes and the state of the script that they were made from. Stored in the browser. */
interface EditDraft {
  base: ScriptValues
  baseUpdatedAt: string
  values: ScriptValues
  changelog: string
}

export interface EditState extends EditDraft {
  authorId: number
  /** The numbers of all versions. */
  usedVersions: string[]
  /** Whether the author chose the number of the next version. Otherwise the form proposes it. */
  isVersionTyped: boolean
  /** Whether moderators hide the script: its author cannot make it public. */
  isHidden: boolean
  isRestored: boolean
  conflict: Conflict | undefined
}

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

type Loaded = Pick<EditState, 'base' | 'baseUpdatedAt' | 'usedVersions'>

/**
 * The edit with a newer state of the script. The version number never conflicts: one that the author typed is for the
 * next version.
 */
function rebase(edit: EditState, { base: theirs, baseUpdatedAt, usedVersions }: Loaded): EditState {
  const { version } = theirs
  const mine = edit.isVersionTyped ? edit.values : { ...edit.values, version }
  const conflict = findConflict({ ...edit.base, version }, mine, theirs)
  return { ...edit, base: theirs, baseUpdatedAt, usedVersions, values: mergeEdits(conflict), conflict }
}

/** The script, whatever its title is now, and the numbers of its versions. */
async function loadScript(api: Api, id: number) {
  const [{ script }, { versions }] = await Promise.all([
    api('GET /api/script-details-slug', { query: { slug: `script-${id}` } }),
    api('GET /api/script-versions', { query: { id } }),
  ])
  return { script, usedVersions: versions.map(({ version }) => version) }
}

function isEditDraft(value: unknown): value is EditDraft {
  return (
    isRecord(value) &&
    isRecord(value['base']) &&
    isRecord(value['values']) &&
    typeof value['baseUpdatedAt'] === 'string'
  )
}

interface Options {
  slot: DraftSlot
  scriptId: number
  initial: EditState
  onErrors: (errors: FieldErrors) => void
  /** Whether the form shows the code. */
  isCodeShown: boolean
}

/** State of the forms that change a script. If the script was changed elsewhere, saving turns both versions into a conflict to resolve. */
export function useEdit({ slot, scriptId, initial, onErrors, isCodeShown }: Options) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const [edit, setEdit] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [phase, setPhase] = useState<Phase>('idle')
  const [failure, setFailure] = useState('')
  const [savedScript, setSavedScript] = useState<Script>()
  const autosave = useEditAutosave(slot, edit)
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])

  const { base, changelog, conflict, usedVersions } = edit
  const changed: string[] = changedFields(base, edit.values)
  const isNewVersion = changed.includes('script_content') || changed.includes('version')
  const nextNumbers = nextVersions(base.version, usedVersions)
  const version = edit.isVersionTyped ? edit.values.version : nextNumbers.patch
  const values: ScriptValues = { ...edit.values, version }

  const update = (apply: (current: EditState) => EditState) => {
    setEdit(apply)
    setPhase((current) => (current === 'saving' ? current : 'idle'))
  }
  const change = (fields: Partial<ScriptValues>) => {
    const isVersionTyped = 'version' in fields
    update((current) => ({
      ...current,
      values: changeValues(current.values, fields),
      isVersionTyped: isVersionTyped || current.isVersionTyped,
    }))
    setErrors((all) => ({ ...all, ...Object.fromEntries(Object.keys(fields).map((name) => [name, undefined])) }))
  }
  const isCodeChanged = changed.includes('script_content')
  const isRevealed = changed.includes('is_public') && values.is_public
  const declaration = useDeclaration({
    values,
    change,
    isActive: isCodeShown || isCodeChanged || isRevealed,
    isFilledIn: isCodeChanged && base.declared_capabilities === null,
    isForOthers: values.is_public && (isCodeChanged || isRevealed),
  })

  const fail = (message: string, fieldErrors: FieldErrors = {}) => {
    if (isUnmounted.current) return toast({ title: FAILED, text: message, tone: 'error' })
    setPhase('failed')
    setFailure(message)
    setErrors(fieldErrors)
    onErrors(fieldErrors)
  }

  const loadConflict = async () => {
    const { script, usedVersions: used } = await loadScript(api, scriptId)
    const newer = { base: valuesOf(script), baseUpdatedAt: script.updated_at, usedVersions: used }
    // Includes what was typed since the form was sent.
    setEdit((current) => rebase(current, newer))
    setPhase('idle')
  }

  const sent = isNewVersion ? values : edit.values
  const { submit } = useSubmit({
    values: () => sent,
    send: async () => {
      if (isNewVersion && isUsedVersion(version, usedVersions)) {
        const message = describeUsedVersion(version.trim(), nextNumbers.patch)
        return fail(message, { version: message })
      }
      setPhase('saving')
      setErrors({})
      const prepared = await declaration.prepare(sent)
      if (!prepared) {
        setPhase('idle')
        setErrors({ secret: CONFIRM_SECRET })
        return onErrors({ secret: CONFIRM_SECRET })
      }
      const body = await changeBody(base, prepared, (image, field) => uploadImage(api, field, image))
      const { script: result } = await api('PUT /api/script-details', {
        query: { id: scriptId },
        body: { ...body, ...(changelog.trim() ? { changelog } : {}), base_updated_at: edit.baseUpdatedAt },
      })
      const adopt = (current: EditState) => adoptSaved(current, { values: edit.values, prepared, changelog }, result)
      setEdit(adopt)
      setPhase('saved')
      setSavedScript(result)
      toast(describeSaved(result, isNewVersion))
      // The page of the script is around the form, or the author has gone there in the meantime.
      void revalidate()
      await autosave.replace(adopt)
    },
    onInvalid: fail,
    onError: async (error) => {
      if (!(error instanceof ApiError)) return fail('Something unexpected happened.')
      if (error.status === UNAUTHORIZED) return toast({ title: FAILED, text: SIGNED_OUT, tone: 'error' })
      if (error.code !== 'changed_meanwhile') return fail(error.message, error.fields)
      try {
        await loadConflict()
      } catch {
        fail(error.message)
      }
    },
  })

  return {
    values,
    errors,
    changelog,
    conflict,
    phase,
    failure,
    /** The saved script if nothing has been typed since it was sent. */
    fullySaved: phase === 'saved' && changed.length === 0 && changelog === '' ? savedScript : undefined,
    isRestored: edit.isRestored,
    isHidden: edit.isHidden,
    isChanged: changed.length > 0,
    changed,
    isNewVersion,
    currentVersion: base.version,
    nextNumbers,
    hasOpenChoices: conflict !== undefined && openFields(conflict).length > 0,
    save: submit,
    setErrors,
    change,
    declaration,
    setChangelog: (text: string) => update((current) => ({ ...current, changelog: text })),
    choose: (name: FieldName, side: Side) => update((current) => chooseSide(current, name, side)),
    discard: async () => {
      await autosave.discard()
      setEdit((current) => ({
        ...current,
        values: current.base,
        isVersionTyped: false,
        changelog: '',
        conflict: undefined,
        isRestored: false,
      }))
      setErrors({})
      setPhase('idle')
    },
  }
}

interface Sent {
  values: ScriptValues
  /** The same values with the declaration that was sent. */
  prepared: ScriptValues
  changelog: string
}

/** The edit after it was saved. What was typed since it was sent stays. */
function adoptSaved(current: EditState, { values, prepared, changelog }: Sent, script: Script): EditState {
  const base = valuesOf(script)
  const typed = changedFields(values, current.values)
    .filter((name) => !isSameValue(prepared[name], current.values[name]))
    .map((name) => [name, current.values[name]])
  return {
    ...current,
    base,
    baseUpdatedAt: script.updated_at,
    usedVersions: [...current.usedVersions, script.version, ...(script.waiting ? [script.waiting.version] : [])],
    values: changeValues(base, Object.fromEntries(typed) as Partial<ScriptValues>),
    isVersionTyped: typed.some(([name]) => name === 'version'),
    changelog: current.changelog === changelog ? '' : current.changelog,
    isRestored: false,
    conflict: undefined,
  }
}

/** Puts the chosen value into the form. The other fields keep what was typed since. */
function chooseSide(edit: EditState, name: FieldName, side: Side): EditState {
  if (!edit.conflict) return edit
  const conflict: Conflict = { ...edit.conflict, choices: { ...edit.conflict.choices, [name]: side } }
  return { ...edit, conflict, values: changeValues(edit.values, { [name]: conflict[side][name] }) }
}

const draftOf = ({ base, baseUpdatedAt, values, changelog }: EditState): EditDraft => ({
  base,
  baseUpdatedAt,
  values,
  changelog,
})
const hasChanges = ({ base, values }: EditState) => changedFields(base, values).length > 0

/** Stores unsaved changes in this browser. On unmount, saves and releases the slot. */
function useEditAutosave(slot: DraftSlot, edit: EditState) {
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
