import { useEffect, useRef, useState } from 'react'
import type { Script } from '#contract/scripts.ts'
import { changeBody } from '#web/components/script-form/body.ts'
import { findMissing, findErrors } from '#web/components/script-form/check-values.ts'
import {
  changeValues,
  changedFields,
  type FieldErrors,
  type FieldName,
  type ScriptValues,
  valuesOf,
} from '#web/components/script-form/values.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { DraftSlot } from '#web/lib/drafts.ts'
import { useToast } from '#web/ui/toast.tsx'
import { type Conflict, findConflict, mergeEdits, openFields, type Side } from './merge-edits.ts'
import type { Edited } from './open-edit.ts'
import { useKeptEdit } from './use-kept-edit.ts'

export type Phase = 'idle' | 'saving' | 'saved' | 'failed'

const UNAUTHORIZED = 401
const FAILED = 'Failed to save changes.'
const SIGNED_OUT = 'You have been signed out. Sign in again and press Edit: your changes are kept.'

interface Given {
  place: DraftSlot
  script: Pick<Script, 'id' | 'slug'>
  opened: Edited
  onSaved: (script: Script) => void
  onWrong: (errors: FieldErrors) => void
}

/** Changes of a script from its state when they began; where that state is no more, both sides are shown. */
export function useEdit({ place, script, opened, onSaved, onWrong }: Given) {
  const api = useApi()
  const toast = useToast()
  const isSending = useRef(false)
  const [edit, setEdit] = useState(opened)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [phase, setPhase] = useState<Phase>('idle')
  const [failure, setFailure] = useState('')
  const kept = useKeptEdit(place, edit)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const { base, values, changelog, conflict } = edit
  const differing = changedFields(base, values)

  const fail = (sentence: string, wrong: FieldErrors = {}) => {
    // The form was closed meanwhile, by hand or with the session.
    if (isGone.current) return toast({ title: FAILED, text: sentence, tone: 'error' })
    setPhase('failed')
    setFailure(sentence)
    setErrors(wrong)
    onWrong(wrong)
  }

  const meetTheirs = async () => {
    const found = await api('GET /api/script-details-slug', { query: { slug: script.slug } })
    const theirs = valuesOf(found.script)
    const met = findConflict(base, values, theirs)
    setEdit({ ...edit, base: theirs, baseUpdatedAt: found.script.updated_at, values: mergeEdits(met), conflict: met })
    setPhase('idle')
  }

  const explain = async (error: unknown) => {
    if (!(error instanceof ApiError)) return fail('Something unexpected happened.')
    if (error.status === UNAUTHORIZED) return toast({ title: FAILED, text: SIGNED_OUT, tone: 'error' })
    if (error.code !== 'changed_meanwhile') return fail(error.message, error.fields)
    try {
      await meetTheirs()
    } catch {
      fail(error.message)
    }
  }

  const send = async () => {
    const body = await changeBody(base, values)
    const { script: saved } = await api('PUT /api/script-details', {
      query: { id: script.id },
      body: { ...body, ...(changelog.trim() ? { changelog } : {}), base_updated_at: edit.baseUpdatedAt },
    })
    await kept.drop()
    setPhase('saved')
    onSaved(saved)
  }

  const save = async () => {
    if (isSending.current || phase === 'saved') return
    const wrong = findErrors(values)
    if (Object.keys(wrong).length > 0) {
      const isMissing = Object.keys(findMissing(values)).length > 0
      return fail(isMissing ? 'Please fill in all required fields' : 'Please look at the marked fields', wrong)
    }
    isSending.current = true
    setPhase('saving')
    setErrors({})
    try {
      await send()
    } catch (error) {
      await explain(error)
    } finally {
      isSending.current = false
    }
  }

  return {
    values,
    errors,
    changelog,
    conflict,
    phase,
    failure,
    isRestored: edit.isRestored,
    isChanged: differing.length > 0,
    isNewVersion: differing.includes('script_content') || differing.includes('version'),
    hasOpenChoices: conflict !== undefined && openFields(conflict).length > 0,
    save,
    setErrors,
    change: (change: Partial<ScriptValues>) => {
      setEdit((now) => ({ ...now, values: changeValues(now.values, change) }))
      setErrors((all) => ({ ...all, ...Object.fromEntries(Object.keys(change).map((name) => [name, undefined])) }))
      setPhase('idle')
    },
    setChangelog: (text: string) => setEdit((now) => ({ ...now, changelog: text })),
    choose: (name: FieldName, side: Side) => setEdit((now) => chooseSide(now, name, side)),
    discard: async () => {
      await kept.drop()
      setEdit((now) => ({ ...now, values: now.base, changelog: '', conflict: undefined, isRestored: false }))
      setErrors({})
      setPhase('idle')
    },
  }
}

/** The form takes the chosen side of one field; what was typed into the others since stays. */
function chooseSide(edit: Edited, name: FieldName, side: Side): Edited {
  if (!edit.conflict) return edit
  const conflict: Conflict = { ...edit.conflict, choices: { ...edit.conflict.choices, [name]: side } }
  return { ...edit, conflict, values: changeValues(edit.values, { [name]: conflict[side][name] }) }
}
