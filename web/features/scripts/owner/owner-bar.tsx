import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { ScriptDetails } from '#web/features/scripts/load-script.ts'
import { CoverButton } from './cover-button.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'

export interface OwnerProps {
  script: ScriptDetails['script']
  memberId: number
}

/** Edit, change the cover, delete. On narrow screens the signs alone. */
export function OwnerBar({ script, memberId }: OwnerProps) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <div role="group" aria-label="Your script" className="flex gap-1 sm:gap-2">
      <Button size="sm" variant="ghost" onClick={() => setOpen('edit')} className="max-sm:w-11 max-sm:px-0">
        <Pencil aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Edit</span>
      </Button>
      <CoverButton script={script} />
      <Button size="sm" variant="ghost" onClick={() => setOpen('delete')} className="max-sm:w-11 max-sm:px-0">
        <Trash2 aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Delete</span>
      </Button>
      {open === 'edit' && <EditDialog script={script} memberId={memberId} onClose={close} />}
      {open === 'delete' && <DeleteDialog script={script} onClose={close} />}
    </div>
  )
}
