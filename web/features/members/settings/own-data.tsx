import Download from 'lucide-react/icons/download'
import Trash2 from 'lucide-react/icons/trash'
import { useEffect, useEffectEvent, useState } from 'react'
import { FormSection } from '#web/ui/form-section.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { downloadFile } from '#web/lib/download-file.ts'
import { readPendingAction, takePendingAction } from '#web/lib/pending-action.ts'
import { Button } from '#web/ui/button.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { needsSignIn, SignInAgainDialog } from '#web/shared/sign-in/sign-in-again.tsx'

/** An action that requires a recent sign-in. */
type OwnDataAction = 'download' | 'delete'

/** Download and deletion of the member's data. Both need a recent sign-in and continue after it. */
export function OwnData({ username }: { username: string }) {
  const [isDeleting, setDeleting] = useState(() => readPendingAction() === 'delete')
  const [confirming, setConfirming] = useState<OwnDataAction>()
  const { isBusy, download } = useDownload(username, () => setConfirming('download'))
  const continueDownload = useEffectEvent(() => void download({ isRetry: true }))
  useEffect(() => {
    takePendingAction('delete')
    if (takePendingAction('download')) continueDownload()
  }, [])
  return (
    <div className="mt-5 flex flex-col gap-5">
      <FormSection title="Your data" text="Download everything we store about you as JSON.">
        <Button aria-disabled={isBusy} onClick={() => void download()} className="min-w-48 self-start">
          <Download aria-hidden className="size-4" />
          {isBusy ? 'Preparing...' : 'Download my data'}
        </Button>
      </FormSection>
      <FormSection
        title="Delete your account"
        text="Permanently deletes your profile, scripts, images, notifications and sessions. Your ratings stay, without your name."
      >
        <Button variant="danger" onClick={() => setDeleting(true)} className="self-start">
          <Trash2 aria-hidden className="size-4" />
          Delete my account
        </Button>
      </FormSection>
      {isDeleting && (
        <DeleteAccountDialog
          username={username}
          onSignInRequired={() => {
            setDeleting(false)
            setConfirming('delete')
          }}
          onClose={() => setDeleting(false)}
        />
      )}
      {confirming && (
        <SignInAgainDialog
          action={confirming}
          purpose={PURPOSES[confirming]}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </div>
  )
}

const PURPOSES: Record<OwnDataAction, string> = { download: 'download your data', delete: 'delete your account' }

function useDownload(username: string, onSignInRequired: () => void) {
  const api = useApi()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  /** A retry after a sign-in does not ask for another one: the member may have canceled it. */
  const download = async ({ isRetry = false } = {}) => {
    if (isBusy) return
    setBusy(true)
    try {
      const data = await api('GET /api/account-data')
      downloadFile(`${username}-data.json`, JSON.stringify(data, null, 2), 'application/json')
    } catch (error) {
      if (needsSignIn(error)) {
        if (!isRetry) onSignInRequired()
        return
      }
      const text = error instanceof ApiError ? error.message : 'Please try again.'
      toast({ title: "Couldn't download your data", text, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, download }
}
