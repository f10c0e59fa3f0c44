import { type RefObject, useEffect, useState } from 'react'
import { useNavigate } from '#web/router/router.tsx'
import { useSubmit } from '#web/features/script-edit/form/use-submit.ts'
import { CONFIRM_SECRET, type DeclarationState } from '#web/features/script-edit/form/use-declaration.ts'
import { type FieldErrors, newScriptBody } from '#web/features/script-edit/form/values.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { uploadImage } from '#web/lib/files.ts'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { useToast } from '#web/ui/toast.tsx'
import type { WaitingVersion } from '#contract/versions.ts'
import type { Api } from '#web/lib/client.ts'
import { describePublished } from './saved-message.ts'
import type { DraftState } from './use-draft.ts'

const UNAUTHORIZED = 401
const FAILED = 'Error uploading script. Please try again.'
const SIGNED_OUT = "You've been signed out. Sign in again; your draft is saved."

/** The version of a new script that is not public yet. The page says it too, so errors do not matter. */
const findWaiting = async (api: Api, slug: string): Promise<WaitingVersion | null> =>
  api('GET /api/script-details-slug', { query: { slug } }).then(
    ({ script }) => script.waiting,
    () => null,
  )

/** Publishes the draft and navigates to the new script. Marks rejected fields and focuses the first one. */
export function usePublish(
  draft: DraftState,
  declaration: DeclarationState,
  form: RefObject<HTMLFormElement | null>,
  setErrors: (errors: FieldErrors) => void,
) {
  const api = useApi()
  const toast = useToast()
  const navigate = useNavigate()
  const [failure, setFailure] = useState('')
  const [isAlreadyPublished, setAlreadyPublished] = useState(false)

  const [shown, setShown] = useState<FieldErrors>()
  const showErrors = (errors: FieldErrors) => {
    setErrors(errors)
    setShown(errors)
  }
  // An effect runs after the fields are rendered with their errors; an animation frame may come before.
  useEffect(() => {
    if (shown && form.current) focusFirstError(form.current, Object.keys(shown))
  }, [form, shown])

  const { isBusy, submit } = useSubmit({
    values: () => draft.current().values,
    send: async () => {
      setFailure('')
      const values = await declaration.prepare(draft.current().values)
      if (!values) return showErrors({ secret: CONFIRM_SECRET })
      await draft.flush()
      const { key } = draft.current()
      const { script } = await api('POST /api/scripts', {
        body: await newScriptBody(values, (image, field) => uploadImage(api, field, image)),
        headers: { 'idempotency-key': key },
      })
      await draft.discard()
      const waiting = await findWaiting(api, script.slug)
      await navigate(`/scripts/${encodeURIComponent(script.slug)}`)
      // Not before: on phones, messages are at the top of a page with a form and at the bottom of others.
      toast(describePublished(values, waiting))
    },
    onInvalid: (message, errors) => {
      setFailure('')
      toast({ title: message, tone: 'error' })
      showErrors(errors)
    },
    onError: (error) => {
      const apiError = error instanceof ApiError ? error : undefined
      if (apiError?.code === 'idempotency_key_reused') return setAlreadyPublished(true)
      const text = apiError?.status === UNAUTHORIZED ? SIGNED_OUT : (apiError?.message ?? '')
      toast({ title: FAILED, tone: 'error', ...(text ? { text } : {}) })
      setFailure(text || FAILED)
      if (apiError && Object.keys(apiError.fields).length > 0) showErrors(apiError.fields)
    },
  })

  return {
    publish: submit,
    isBusy,
    failure,
    isAlreadyPublished,
    dismissAlreadyPublished: () => setAlreadyPublished(false),
    publishAsNew: async () => {
      setAlreadyPublished(false)
      draft.renewKey()
      await submit()
    },
  }
}
