import { type Dispatch, useEffect, useReducer, useRef } from 'react'
import { describeUsedVersion, isUsedVersion } from '#contract/version-number.ts'
import {
  CONFIRM_SECRET,
  type DeclarationState,
  useDeclaration,
} from '#web/features/script-edit/form/use-declaration.ts'
import { useSubmit } from '#web/features/script-edit/form/use-submit.ts'
import {
  changeBody,
  type FieldErrors,
  type FieldName,
  type ScriptValues,
  valuesOf,
} from '#web/features/script-edit/form/values.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { DraftSlot } from '#web/lib/drafts.ts'
import { uploadImage } from '#web/lib/files.ts'
import { useRevalidator } from '#web/router/router.tsx'
import { useToast } from '#web/ui/toast.tsx'
import {
  adoptSaved,
  deriveEdit,
  type EditAction,
  type EditState,
  openForm,
  reduceEdit,
  type Sent,
} from './edit-state.ts'
import { openFields, type Side } from './merge-edits.ts'
import { loadScript } from './open-edit.ts'
import { describeSaved } from './saved-message.ts'
import { toOtherEdit } from './edit-draft.ts'
import type { OpenedEdit } from './open-edit.ts'
import { useEditAutosave } from './use-edit-autosave.ts'

const UNAUTHORIZED = 401
const FAILED = 'Failed to save changes.'
const SIGNED_OUT = "You've been signed out. Sign in again; your changes are saved in this browser."

interface Options {
  slot: DraftSlot
  /** The edited script. */
  scriptId: number
  opened: OpenedEdit
  onErrors: (errors: FieldErrors) => void
  /** Whether the form shows the code. */
  isCodeShown: boolean
}

/** State of the forms that change a script. If the script was changed elsewhere, saving turns both versions into a conflict to resolve. */
export function useEdit({ slot, scriptId, opened, onErrors, isCodeShown }: Options) {
  const [form, dispatch] = useReducer(reduceEdit, opened.edit, openForm)
  const { edit, errors, phase } = form
  const { base, changelog, conflict } = edit
  const autosave = useEditAutosave({
    slot,
    scriptId,
    edit,
    server: opened.server,
    onReplace: (stored) => dispatch({ type: 'offer', other: toOtherEdit(stored, edit) }),
  })
  const derived = deriveEdit(edit)
  const { isNewVersion, values, nextNumbers } = derived
  const changed: string[] = derived.changed
  const change = (fields: Partial<ScriptValues>) => dispatch({ type: 'change', fields })

  const isCodeChanged = changed.includes('script_content')
  const isRevealed = changed.includes('is_public') && values.is_public
  const declaration = useDeclaration({
    values,
    change,
    isActive: isCodeShown || isCodeChanged || isRevealed,
    isFilledIn: isCodeChanged && base.declared_capabilities === null,
    isForOthers: values.is_public && (isCodeChanged || isRevealed),
  })
  const save = useSave({ scriptId, edit, derived, dispatch, declaration, onErrors, onSaved: autosave.replace })

  return {
    values,
    errors,
    changelog,
    conflict,
    phase,
    failure: form.failure,
    /** The saved script if nothing has been typed since it was sent. */
    fullySaved: phase === 'saved' && changed.length === 0 && changelog === '' ? form.savedScript : undefined,
    isRestored: edit.isRestored,
    other: edit.other,
    takeOther: () => dispatch({ type: 'swap', changedAt: new Date().toISOString() }),
    dismissOther: () => dispatch({ type: 'offer', other: undefined }),
    isHidden: edit.isHidden,
    isChanged: changed.length > 0,
    changed,
    isNewVersion,
    currentVersion: base.version,
    currentCode: base.script_content,
    nextNumbers,
    hasOpenChoices: conflict !== undefined && openFields(conflict).length > 0,
    save,
    setImageError: (image: string | undefined) => dispatch({ type: 'reject', errors: { image } }),
    change,
    declaration,
    setChangelog: (text: string) => dispatch({ type: 'changelog', text }),
    choose: (name: FieldName, side: Side) => dispatch({ type: 'choose', name, side }),
    discard: async () => {
      await autosave.discard()
      dispatch({ type: 'discard' })
    },
  }
}

interface SaveOptions {
  scriptId: number
  edit: EditState
  derived: ReturnType<typeof deriveEdit>
  dispatch: Dispatch<EditAction>
  declaration: DeclarationState
  onErrors: (errors: FieldErrors) => void
  /** Updates the stored changes. */
  onSaved: (update: (current: EditState) => EditState) => Promise<void>
}

function useSave({ scriptId, edit, derived, dispatch, declaration, onErrors, onSaved }: SaveOptions) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const send = useSendEdit(scriptId, edit)
  const { isNewVersion, sent, values, nextNumbers } = derived
  const isUnmounted = useIsUnmounted()

  const fail = (message: string, errors: FieldErrors = {}) => {
    if (isUnmounted.current) return toast({ title: FAILED, text: message, tone: 'error' })
    dispatch({ type: 'fail', message, errors })
    onErrors(errors)
  }
  const loadConflict = async () => {
    const { script, usedVersions } = await loadScript(api, scriptId)
    dispatch({ type: 'rebase', newer: { base: valuesOf(script), baseUpdatedAt: script.updated_at, usedVersions } })
  }
  const { submit } = useSubmit({
    values: () => sent,
    saved: edit.base,
    send: async () => {
      if (isNewVersion && isUsedVersion(values.version, edit.usedVersions)) {
        const message = describeUsedVersion(values.version.trim(), nextNumbers.patch)
        return fail(message, { version: message })
      }
      dispatch({ type: 'send' })
      const prepared = await declaration.prepare(sent)
      if (!prepared) {
        dispatch({ type: 'stop' })
        dispatch({ type: 'reject', errors: { secret: CONFIRM_SECRET } })
        return onErrors({ secret: CONFIRM_SECRET })
      }
      const script = await send(prepared)
      const saved: Sent = { values: edit.values, prepared, changelog: edit.changelog }
      dispatch({ type: 'save', sent: saved, script })
      toast(describeSaved(script, isNewVersion))
      // The page of the script is around the form, or the author has gone there in the meantime.
      void revalidate()
      await onSaved((current) => adoptSaved(current, saved, script))
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
  return submit
}

/** Sends what differs from the saved values. Rejects with ApiError. */
function useSendEdit(scriptId: number, { base, baseUpdatedAt, changelog }: EditState) {
  const api = useApi()
  return async (values: ScriptValues) => {
    const body = await changeBody(base, values, (image, field) => uploadImage(api, field, image))
    const { script } = await api('PUT /api/script-details', {
      query: { id: scriptId },
      body: { ...body, ...(changelog.trim() ? { changelog } : {}), base_updated_at: baseUpdatedAt },
    })
    return script
  }
}

function useIsUnmounted() {
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])
  return isUnmounted
}
