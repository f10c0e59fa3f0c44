import History from 'lucide-react/icons/rotate-ccw-clock'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'

/** Says that the form begins with an earlier draft. Discarding takes a second press. */
export function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  const [isSure, setSure] = useState(false)
  return (
    <div
      role="status"
      className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line bg-accent-soft p-3 pl-4"
    >
      <History aria-hidden className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-60">Your draft was restored. Nothing of it is published yet.</p>
      <Button size="sm" onClick={isSure ? onDiscard : () => setSure(true)}>
        {isSure ? 'Press again to discard it' : 'Discard the draft'}
      </Button>
    </div>
  )
}
