import { type RefObject, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Profile } from '#contract/members.ts'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { readDataUrl } from '#web/lib/read-data-url.ts'
import { useSession } from '#web/lib/session.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { describeSaveError } from './describe-save-error.ts'
import { changedFields, formOf, inputOf, type SettingsChange, type SettingsForm } from './settings-form.ts'
import { settingsUrl } from './settings-url.ts'

export type FieldErrors = Record<string, string | undefined>

export interface SettingsPart {
  form: SettingsForm
  errors: FieldErrors
  change: SettingsChange
}

/** The form of the settings: what stands in it, what is saved, and the way from the one to the other. */
export function useSettings(loaded: Profile, place: RefObject<HTMLFormElement | null>) {
  const api = useApi()
  const toast = useToast()
  const navigate = useNavigate()
  const { refresh } = useSession()
  const [saved, setSaved] = useState(loaded)
  const [form, setForm] = useState(() => formOf(loaded))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<readonly string[]>([])

  // After the tab that holds them is there.
  useEffect(() => {
    if (place.current && wrong.length > 0) focusFirstError(place.current, wrong)
  }, [place, wrong])

  const change: SettingsChange = (part) => {
    setForm((before) => ({ ...before, ...part }))
    // What is being put right is no longer marked.
    setErrors((all) => ({ ...all, ...Object.fromEntries(Object.keys(part).map((name) => [name, undefined])) }))
  }
  const discard = () => {
    setForm(formOf(saved))
    setErrors({})
    setFailure(undefined)
  }
  const refuse = (name: string, reason: string | undefined) => setErrors((all) => ({ ...all, [name]: reason }))

  const fail = async (error: unknown) => {
    const fields = error instanceof ApiError ? error.fields : {}
    const names = Object.keys(fields)
    setFailure(describeSaveError(error))
    setErrors(fields)
    toast({ title: describeSaveError(error), tone: 'error' })
    if (names.length === 0) return
    await navigate(settingsUrl(names.includes('privacy_settings') ? 'privacy' : 'info'), {
      replace: true,
      preventScrollReset: true,
    })
    setWrong(names)
  }
  const save = async () => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { profile } = await api('PUT /api/user-profiles', { body: await inputOf(form, saved, readDataUrl) })
      setSaved(profile)
      setForm(formOf(profile))
      setErrors({})
      toast({ title: 'Profile updated successfully!', tone: 'success' })
      void refresh()
    } catch (error) {
      await fail(error)
    } finally {
      setBusy(false)
    }
  }
  const isDirty = changedFields(form, saved).length > 0
  return { saved, form, errors, failure, isBusy, isDirty, change, refuse, discard, save }
}
