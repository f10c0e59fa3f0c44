import Check from 'lucide-react/icons/check'
import Ticket from 'lucide-react/icons/ticket'
import { useState } from 'react'
import type { Giveaway } from '#contract/giveaways.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { useToast } from '#web/ui/toast.tsx'

const isFull = ({ max_entries, entry_count }: Giveaway) => max_entries !== null && entry_count >= max_entries

/** Enters a giveaway that still runs, or says why there is nothing to press. */
export function EnterButton({ giveaway, onEntered }: { giveaway: Giveaway; onEntered: (now: Giveaway) => void }) {
  const session = useSession()
  const { isEntering, enter } = useEntering(giveaway, onEntered)
  if (giveaway.user_entered) {
    return (
      <p className="flex min-h-11 items-center justify-center gap-2 rounded-sm bg-accent-soft font-medium text-accent sm:min-h-10">
        <Check aria-hidden className="size-4" />
        You are in
      </p>
    )
  }
  if (session.status === 'member') {
    return (
      <Button
        variant="primary"
        className="w-full"
        disabled={isEntering || isFull(giveaway)}
        onClick={() => void enter()}
      >
        <Ticket aria-hidden className="size-4" />
        {isFull(giveaway) ? 'All places are taken' : isEntering ? 'Entering...' : 'Enter Giveaway'}
        <span className="sr-only"> for {giveaway.title}</span>
      </Button>
    )
  }
  return (
    <Button
      variant="primary"
      className="w-full noscript:hidden"
      disabled={session.status === 'loading'}
      onClick={() => void session.signIn()}
    >
      Login to Enter
      <span className="sr-only"> for {giveaway.title}</span>
    </Button>
  )
}

function useEntering(shown: Giveaway, onEntered: (now: Giveaway) => void) {
  const api = useApi()
  const toast = useToast()
  const [isEntering, setEntering] = useState(false)
  const enter = async () => {
    setEntering(true)
    try {
      const { giveaway } = await api('POST /api/giveaways', { body: { action: 'enter', giveaway_id: shown.id } })
      toast({ title: 'Successfully entered giveaway! Good luck!', tone: 'success' })
      if (giveaway) onEntered(giveaway)
    } catch (error) {
      // The first answer was lost on its way, or another tab was quicker.
      if (error instanceof ApiError && error.code === 'already_entered') onEntered({ ...shown, user_entered: true })
      const hasMessage = error instanceof ApiError && error.status > 0
      toast({ title: hasMessage ? error.message : 'Failed to enter giveaway', tone: 'error' })
    } finally {
      setEntering(false)
    }
  }
  return { isEntering, enter }
}
