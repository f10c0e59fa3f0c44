import { type RefObject, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { newScriptBody } from '#web/components/script-form/body.ts'
import { findMissing, findErrors } from '#web/components/script-form/check-values.ts'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import type { FieldErrors } from '#web/components/script-form/values.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useToast } from '#web/ui/toast.tsx'
import type { DraftState } from './use-draft.ts'

const FAILED = 'Error uploading script. Please try again.'
const SIGNED_OUT = 'You have been signed out. Sign in again and open Upload: everything you typed is kept.'

/** Sends the draft once at a time, and says what is wrong by the fields. */
export function usePublish(
  draft: DraftState,
  form: RefObject<HTMLFormElement | null>,
  setErrors: (errors: FieldErrors) => void,
) {
  const api = useApi()
  const toast = useToast()
  const navigate = useNavigate()
  // Set at once, where state would come too late for the second half of a double click.
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [isKeyUsed, setKeyUsed] = useState(false)

  const mark = (errors: FieldErrors) => {
    setErrors(errors)
    // Once the fields are marked.
    requestAnimationFrame(() => form.current && focusFirstError(form.current, Object.keys(errors)))
  }

  const send = async () => {
    await draft.flush()
    const { key, values } = draft.present()
    const { script } = await api('POST /api/scripts', {
      body: await newScriptBody(values),
      headers: { 'idempotency-key': key },
    })
    await draft.discard()
    void navigate(`/scripts/${encodeURIComponent(script.slug)}`)
  }

  const explain = (error: unknown) => {
    const known = error instanceof ApiError ? error : undefined
    if (known?.code === 'idempotency_key_reused') return setKeyUsed(true)
    const text = known?.status === 401 ? SIGNED_OUT : (known?.message ?? '')
    toast({ title: FAILED, tone: 'error', ...(text ? { text } : {}) })
    setFailure(text || FAILED)
    if (known && Object.keys(known.fields).length > 0) mark(known.fields)
  }

  const publish = async () => {
    if (isSending.current) return
    const { values } = draft.present()
    const wrong = findErrors(values)
    setFailure('')
    if (Object.keys(wrong).length > 0) {
      const isMissing = Object.keys(findMissing(values)).length > 0
      toast({
        title: isMissing ? 'Please fill in all required fields' : 'Please look at the marked fields',
        tone: 'error',
      })
      return mark(wrong)
    }
    isSending.current = true
    setBusy(true)
    try {
      await send()
    } catch (error) {
      explain(error)
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }

  return {
    publish,
    isBusy,
    failure,
    isKeyUsed,
    forgetKeyUsed: () => setKeyUsed(false),
    publishAnother: async () => {
      setKeyUsed(false)
      draft.renewKey()
      await publish()
    },
  }
}
