import ChartColumn from 'lucide-react/icons/chart-column'
import GitCommitVertical from 'lucide-react/icons/git-commit-vertical'
import ImageUp from 'lucide-react/icons/image-up'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { useRef, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from '#web/router/router.tsx'
import type { Script } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { uploadImage } from '#web/lib/files.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { IMAGE_TYPES } from '#web/ui/image-types.ts'
import { useToast } from '#web/ui/toast.tsx'
import { coverMessages, imageError } from '#web/shared/image-error.ts'
import { editPath, newVersionPath, type OverPage } from '#web/shared/script-paths.ts'

interface Props {
  script: Pick<Script, 'id' | 'slug' | 'title'>
}

/** Edit, publish a version, see the statistics, change the cover and delete. Icons only on narrow screens. */
export function OwnerTools({ script }: Props) {
  const [isDeleting, setDeleting] = useState(false)
  const { state } = useLocation()
  const overPage: OverPage = { ...(state as object | null), isOverPage: true }
  return (
    <div role="group" aria-label="Your script" className="flex gap-1 sm:gap-2">
      <LinkButton
        to={editPath(script)}
        state={overPage}
        preventScrollReset
        aria-haspopup="dialog"
        size="sm"
        variant="ghost"
        className="max-sm:w-11 max-sm:px-0"
      >
        <Pencil aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Edit</span>
      </LinkButton>
      <LinkButton to={newVersionPath(script)} size="sm" variant="ghost" className="max-sm:w-11 max-sm:px-0">
        <GitCommitVertical aria-hidden className="size-4" />
        <span className="max-sm:sr-only">New version</span>
      </LinkButton>
      <LinkButton to={`/dashboard?script=${script.id}`} size="sm" variant="ghost" className="max-sm:w-11 max-sm:px-0">
        <ChartColumn aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Statistics</span>
      </LinkButton>
      <CoverButton scriptId={script.id} />
      <Button size="sm" variant="ghost" onClick={() => setDeleting(true)} className="max-sm:w-11 max-sm:px-0">
        <Trash2 aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Delete</span>
      </Button>
      {isDeleting && <DeleteDialog script={script} onClose={() => setDeleting(false)} />}
    </div>
  )
}

/** Replaces the cover without opening the form. */
function CoverButton({ scriptId }: { scriptId: number }) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const upload = async (file: File) => {
    const error = imageError(file, coverMessages)
    if (error) return toast({ title: error, tone: 'error' })
    setBusy(true)
    try {
      const image = await uploadImage(api, 'image', file)
      await api('PUT /api/script-details', { query: { id: scriptId }, body: { image } })
      toast({ title: 'Cover image updated successfully.', tone: 'success' })
      await revalidate()
    } catch (cause) {
      if (!(cause instanceof ApiError)) toast({ title: 'Unexpected error.', tone: 'error' })
      else toast({ title: 'Failed to update cover image. Please try again.', text: cause.message, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-disabled={isBusy}
        onClick={() => !isBusy && input.current?.click()}
        className="max-sm:w-11 max-sm:px-0"
      >
        <ImageUp aria-hidden className={isBusy ? 'size-4 motion-safe:animate-pulse' : 'size-4'} />
        <span className="max-sm:sr-only">{isBusy ? 'Uploading...' : 'Change cover'}</span>
      </Button>
      <input
        ref={input}
        type="file"
        accept={IMAGE_TYPES}
        aria-label="Cover image"
        tabIndex={-1}
        className="hidden"
        onChange={(event) => {
          const file = event.target.files?.item(0)
          event.target.value = ''
          if (file) void upload(file)
        }}
      />
    </>
  )
}

const REDIRECT_DELAY_MS = 300

type Phase = 'confirming' | 'deleting' | 'deleted'
const statusTexts: Record<Phase, string> = {
  confirming: '',
  deleting: 'Deleting script...',
  deleted: 'Deleted. Redirecting...',
}

function DeleteDialog({ script, onClose }: Props & { onClose: () => void }) {
  const api = useApi()
  const navigate = useNavigate()
  const [phase, setPhase] = useState<Phase>('confirming')
  const [failure, setFailure] = useState<string>()
  const remove = async () => {
    if (phase !== 'confirming') return
    setPhase('deleting')
    setFailure(undefined)
    try {
      await api('DELETE /api/script-details', { query: { id: script.id } })
      setPhase('deleted')
      setTimeout(() => void navigate('/scripts'), REDIRECT_DELAY_MS)
    } catch (error) {
      setPhase('confirming')
      setFailure(error instanceof ApiError ? error.message : '')
    }
  }
  return (
    <Dialog role="alertdialog" size="sm" title="Delete this script?" isBusy={phase !== 'confirming'} onClose={onClose}>
      <p className="wrap-anywhere">
        This permanently deletes <bdi className="font-semibold">{script.title}</bdi> and all its versions, ratings and
        reviews.
      </p>
      {failure !== undefined && (
        <div className="mt-4">
          <FormAlert>
            <p>Failed to delete script.</p>
            <p className="text-text">{failure}</p>
          </FormAlert>
        </div>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-end gap-3">
        <output className="mr-auto text-muted max-sm:w-full">{statusTexts[phase]}</output>
        <Button onClick={onClose} disabled={phase !== 'confirming'} className="max-sm:flex-1">
          Cancel
        </Button>
        <Button
          variant="danger"
          aria-disabled={phase !== 'confirming'}
          onClick={() => void remove()}
          className="min-w-32 max-sm:flex-1"
        >
          Delete script
        </Button>
      </div>
    </Dialog>
  )
}
