import { useRef, useState } from 'react'
import { findErrors, findMissing } from './validation.ts'
import type { FieldErrors, ScriptValues } from './values.ts'

interface Options {
  /** Returns the newest values, also within the event that changed them. */
  values: () => ScriptValues
  send: () => Promise<void>
  onInvalid: (message: string, errors: FieldErrors) => void
  onError: (error: unknown) => void | Promise<void>
}

/** Validates a script form and sends it. Ignores further submits until the request ends. */
export function useSubmit({ values, send, onInvalid, onError }: Options) {
  // A ref, because state updates too late to stop the second half of a double click.
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)

  const submit = async () => {
    if (isSending.current) return
    const errors = findErrors(values())
    if (Object.keys(errors).length > 0) {
      const isMissing = Object.keys(findMissing(values())).length > 0
      return onInvalid(isMissing ? 'Please fill in all required fields' : 'Please check the highlighted fields', errors)
    }
    isSending.current = true
    setBusy(true)
    try {
      await send()
    } catch (error) {
      await onError(error)
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return { isBusy, submit }
}
