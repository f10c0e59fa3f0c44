import type { Script } from '#contract/scripts.ts'
import { nextVersions } from '#contract/version-number.ts'
import {
  changedFields,
  changeValues,
  type FieldErrors,
  type FieldName,
  isSameValue,
  type ScriptValues,
  valuesOf,
} from '#web/features/script-edit/form/values.ts'
import { type Conflict, findConflict, mergeEdits, type Side } from './merge-edits.ts'

export type Phase = 'idle' | 'saving' | 'saved' | 'failed'

/** Unsaved changes and the state of the script that they were made from. Stored in the browser. */
export interface EditDraft {
  base: ScriptValues
  baseUpdatedAt: string
  values: ScriptValues
  changelog: string
}

/** Changes of another device, or the older of two states, which the form offers. */
export interface OtherEdit {
  draft: EditDraft
  changedAt: string
  from: 'device' | 'browser'
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
  other: OtherEdit | undefined
}

/** A state of the script that is newer than the one an edit was made from. */
export type NewerState = Pick<EditState, 'base' | 'baseUpdatedAt' | 'usedVersions'>

/**
 * The edit with a newer state of the script. The version number never conflicts: one that the author typed is for the
 * next version.
 */
export function rebase(edit: EditState, { base: theirs, baseUpdatedAt, usedVersions }: NewerState): EditState {
  const { version } = theirs
  const mine = edit.isVersionTyped ? edit.values : { ...edit.values, version }
  const conflict = findConflict({ ...edit.base, version }, mine, theirs)
  return { ...edit, base: theirs, baseUpdatedAt, usedVersions, values: mergeEdits(conflict), conflict }
}

/** The edit with unsaved changes, merged if the script has changed since they were made. */
export function restoreEdit(edit: EditState, draft: EditDraft): EditState {
  const { base, baseUpdatedAt, usedVersions } = edit
  const restored: EditState = {
    ...edit,
    ...draft,
    isVersionTyped: draft.values.version !== draft.base.version,
    isRestored: true,
    conflict: undefined,
  }
  return draft.baseUpdatedAt === baseUpdatedAt ? restored : rebase(restored, { base, baseUpdatedAt, usedVersions })
}

export interface Sent {
  values: ScriptValues
  /** The same values with the declaration that was sent. */
  prepared: ScriptValues
  changelog: string
}

/** The edit after it was saved. What was typed since it was sent stays. */
export function adoptSaved(current: EditState, { values, prepared, changelog }: Sent, script: Script): EditState {
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

/** What follows from an edit. */
export function deriveEdit(edit: EditState) {
  const { base, usedVersions } = edit
  const changed = changedFields(base, edit.values)
  const isNewVersion = changed.includes('script_content') || changed.includes('version')
  const nextNumbers = nextVersions(base.version, usedVersions)
  /** With the number of the next version. */
  const values: ScriptValues = {
    ...edit.values,
    version: edit.isVersionTyped ? edit.values.version : nextNumbers.patch,
  }
  return { changed, isNewVersion, nextNumbers, values, sent: isNewVersion ? values : edit.values }
}

/** The state of a form that changes a script. */
export interface EditForm {
  edit: EditState
  errors: FieldErrors
  phase: Phase
  failure: string
  savedScript: Script | undefined
}

export const openForm = (edit: EditState): EditForm => ({
  edit,
  errors: {},
  phase: 'idle',
  failure: '',
  savedScript: undefined,
})

export type EditAction =
  | { type: 'change'; fields: Partial<ScriptValues> }
  | { type: 'changelog'; text: string }
  | { type: 'choose'; name: FieldName; side: Side }
  | { type: 'reject'; errors: FieldErrors }
  | { type: 'fail'; message: string; errors: FieldErrors }
  /** The form is being sent. */
  | { type: 'send' }
  /** Sending was given up without a failure. */
  | { type: 'stop' }
  | { type: 'save'; sent: Sent; script: Script }
  | { type: 'rebase'; newer: NewerState }
  | { type: 'discard' }
  | { type: 'offer'; other: OtherEdit | undefined }
  /** Swaps the changes with those that are offered. */
  | { type: 'swap'; changedAt: string }

/** Applies an edit of the author, who may go on typing while the form is being sent. */
const typed = (form: EditForm, edit: EditState): EditForm => ({
  ...form,
  edit,
  phase: form.phase === 'saving' ? 'saving' : 'idle',
})

export function reduceEdit(form: EditForm, action: EditAction): EditForm {
  const { edit } = form
  switch (action.type) {
    case 'change': {
      const isVersionTyped = edit.isVersionTyped || 'version' in action.fields
      const changed = typed(form, { ...edit, values: changeValues(edit.values, action.fields), isVersionTyped })
      return { ...changed, errors: withoutErrors(form.errors, Object.keys(action.fields)) }
    }
    case 'changelog':
      return typed(form, { ...edit, changelog: action.text })
    case 'choose':
      return typed(form, chooseSide(edit, action.name, action.side))
    case 'reject':
      return { ...form, errors: { ...form.errors, ...action.errors } }
    case 'fail':
      return { ...form, phase: 'failed', failure: action.message, errors: action.errors }
    case 'send':
      return { ...form, phase: 'saving', errors: {} }
    case 'stop':
      return { ...form, phase: 'idle' }
    case 'save':
      return { ...form, edit: adoptSaved(edit, action.sent, action.script), phase: 'saved', savedScript: action.script }
    case 'rebase':
      // Includes what was typed since the form was sent.
      return { ...form, edit: rebase(edit, action.newer), phase: 'idle' }
    case 'offer':
      return { ...form, edit: { ...edit, other: action.other } }
    case 'swap': {
      if (!edit.other) return form
      const { base, baseUpdatedAt, values, changelog } = edit
      const draft = { base, baseUpdatedAt, values, changelog }
      const other: OtherEdit = { draft, changedAt: action.changedAt, from: 'browser' }
      const { image, screenshots } = values
      const { draft: offered } = edit.other
      const taken = { ...offered, values: { ...offered.values, image, screenshots } }
      return typed(form, { ...restoreEdit(edit, taken), other })
    }
    case 'discard':
      return { ...form, edit: discardChanges(edit), phase: 'idle', errors: {} }
  }
}

const withoutErrors = (errors: FieldErrors, names: readonly string[]): FieldErrors => ({
  ...errors,
  ...Object.fromEntries(names.map((name) => [name, undefined])),
})

const discardChanges = (edit: EditState): EditState => ({
  ...edit,
  values: edit.base,
  isVersionTyped: false,
  changelog: '',
  conflict: undefined,
  isRestored: false,
})
