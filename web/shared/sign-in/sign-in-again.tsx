import { ApiError } from '#web/lib/api-error.ts'
import { storePendingAction } from '#web/lib/pending-action.ts'
import { useSession } from '#web/lib/session.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Whether the server asks for a recent sign-in. */
export const needsSignIn = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'reauthentication_required'

/** Leads through Discord and back to this page, where `action` is pending. `purpose` completes 'To ..., sign in again'. */
export function SignInAgainDialog({
  action,
  purpose,
  onClose,
}: {
  action: string
  purpose: string
  onClose: () => void
}) {
  const { signIn } = useSession()
  return (
    <ConfirmDialog
      title="Confirm it's you"
      text={`To ${purpose}, sign in with Discord again. You'll return to this page.`}
      confirmLabel="Continue with Discord"
      tone="primary"
      onConfirm={() => {
        storePendingAction(action)
        return signIn()
      }}
      onClose={onClose}
    />
  )
}
