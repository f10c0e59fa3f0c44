import { useRef, useState } from 'react'
import { findErrors, isIncomplete } from './validation.ts'
import type { FieldErrors, ScriptValues } from './values.ts'

interface Options {
  /** Returns the newest values, also within the event that changed them. */
  values: () => ScriptValues
  /** The saved values, if only fields that differ from them are sent. */
  saved?: ScriptValues
  send: () => Promise<void>
  onInvalid: (message: string, errors: FieldErrors) => void
  onError: (error: unknown) => void | Promise<void>
}

/** Validates a script form and sends it. Ignores further submits until the request ends. */
export function useSubmit({ values, saved, send, onInvalid, onError }: Options) {
  // A ref, because state updates too late to stop the second half of a double click.
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)

  const submit = async () => {
    if (isSending.current) return
    const errors = findErrors(values(), saved)
    if (Object.keys(errors).length > 0) {
      const message = isIncomplete(errors)
        ? 'Please fill in all required fields'
        : 'Please check the highlighted fields'
      return onInvalid(message, errors)
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
