import { useEffect, useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { DraftSlot } from '#web/lib/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { takeEditPlace } from './edit-draft.ts'
import { EditForm } from './edit-form.tsx'
import { type Edited, openEdit } from './open-edit.ts'
import type { OwnerProps } from './owner-bar.tsx'

type Props = OwnerProps & { onClose: () => void }

/** Everything that its author can change of a script. */
export function EditDialog(props: Props) {
  const [attempt, setAttempt] = useState(0)
  return (
    <Dialog title="Edit script" onClose={props.onClose}>
      <Opening key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
    </Dialog>
  )
}

function Opening({ script, memberId, onClose, onRetry }: Props & { onRetry: () => void }) {
  const api = useApi()
  const [opened, setOpened] = useState<{ edited: Edited; place: DraftSlot } | { failure: string }>()
  const { id, slug } = script
  useEffect(() => {
    let isGone = false
    const open = async () => {
      const place = await takeEditPlace(memberId, id)
      try {
        const edited = await openEdit(api, place, slug)
        // From here on the form has the place, and leaves it.
        if (!isGone) return setOpened({ edited, place })
      } catch (error) {
        if (!isGone) setOpened({ failure: error instanceof ApiError ? error.message : '' })
      }
      place.release()
    }
    void open()
    return () => {
      isGone = true
    }
  }, [api, memberId, id, slug])
  if (!opened) return <EditSkeleton />
  if ('place' in opened) {
    return <EditForm script={script} opened={opened.edited} place={opened.place} onClose={onClose} />
  }
  return (
    <div className="flex flex-col items-start gap-4">
      <FormAlert>The script could not be loaded. {opened.failure}</FormAlert>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

function EditSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-5">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-16" />
      <Skeleton className="h-36" />
      <Skeleton className="h-40" />
      <Skeleton className="h-24" />
    </div>
  )
}
