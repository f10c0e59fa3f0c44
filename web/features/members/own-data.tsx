import Download from 'lucide-react/icons/download'
import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import { FormSection } from '#web/ui/form-section.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

export function OwnData({ username }: { username: string }) {
  const [isDeleting, setDeleting] = useState(false)
  return (
    <div className="mt-5 flex flex-col gap-5">
      <FormSection title="Your data" text="Download everything we store about you as JSON.">
        <DownloadButton username={username} />
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
      {isDeleting && <DeleteAccountDialog username={username} onClose={() => setDeleting(false)} />}
    </div>
  )
}

function DownloadButton({ username }: { username: string }) {
  const api = useApi()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      const data = await api('GET /api/account-data')
      downloadFile(`${username}-data.json`, JSON.stringify(data, null, 2), 'application/json')
    } catch (error) {
      const text = error instanceof ApiError ? error.message : 'Please try again.'
      toast({ title: "Couldn't download your data", text, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button aria-disabled={isBusy} onClick={() => void download()} className="min-w-48 self-start">
      <Download aria-hidden className="size-4" />
      {isBusy ? 'Preparing...' : 'Download my data'}
    </Button>
  )
}

function downloadFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Delayed, because revoking the URL immediately would cancel the download.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
