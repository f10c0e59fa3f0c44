import { useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { forgetToken } from '#web/lib/token.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { needsSignIn } from '#web/shared/sign-in/sign-in-again.tsx'

interface Props {
  username: string
  onSignInRequired: () => void
  onClose: () => void
}

/** Asks for the username, so that nobody deletes their account by accident. */
export function DeleteAccountDialog({ username, onSignInRequired, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const [input, setInput] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const isConfirmed = input.trim() === username
  const remove = async () => {
    if (isBusy || !isConfirmed) return
    setBusy(true)
    setFailure(undefined)
    try {
      await api('DELETE /api/account', { body: { username } })
      toast({ title: 'Your account has been deleted', tone: 'success' })
      // The settings page redirects signed-out visitors.
      forgetToken()
    } catch (error) {
      if (needsSignIn(error)) return onSignInRequired()
      setFailure(error instanceof ApiError ? error.message : "Couldn't delete your account. Please try again.")
      setBusy(false)
    }
  }
  return (
    <Dialog title="Delete your account?" isBusy={isBusy} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void remove()
        }}
        className="flex flex-col gap-4"
      >
        <p className="text-muted">
          This immediately deletes your profile, scripts, images, notifications and sessions. They can&apos;t be
          recovered.
        </p>
        <Field
          name="username"
          label="Your username"
          help={
            <>
              Type <strong className="font-semibold text-text wrap-anywhere">{username}</strong> to confirm.
            </>
          }
        >
          {(aria) => <TextInput {...aria} value={input} onChange={setInput} autoCapitalize="off" spellCheck={false} />}
        </Field>
        {failure && <FormAlert>{failure}</FormAlert>}
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose} disabled={isBusy} className="max-sm:flex-1">
            Keep my account
          </Button>
          <Button
            type="submit"
            variant="danger"
            disabled={!isConfirmed}
            aria-disabled={isBusy}
            className="min-w-40 max-sm:flex-1"
          >
            {isBusy ? 'Deleting...' : 'Delete my account'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
