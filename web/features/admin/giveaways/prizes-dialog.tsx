import { useState } from 'react'
import type { Giveaway } from '#contract/giveaways.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'

/** Shows a giveaway's prizes after saying that each look is written down. */
export function PrizesDialog({ giveaway, onClose }: { giveaway: Giveaway; onClose: () => void }) {
  const api = useApi()
  const [isBusy, setBusy] = useState(false)
  const [prizes, setPrizes] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const reveal = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      setPrizes((await api('GET /api/giveaway-prizes', { query: { id: giveaway.id } })).prize_value)
    } catch (error) {
      setFailure(describeActionError(error))
    }
    setBusy(false)
  }
  return (
    <Dialog size="sm" title="Prizes" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="wrap-anywhere text-muted">
          What the winners of <bdi className="text-text">{giveaway.title}</bdi> get. That you look is written into the
          audit log.
        </p>
        {failure && <FormAlert>{failure}</FormAlert>}
        {prizes === undefined ? (
          <Button variant="primary" aria-disabled={isBusy} onClick={() => void reveal()} className="self-end">
            {isBusy ? 'Opening...' : 'Show prizes'}
          </Button>
        ) : (
          <pre
            role="status"
            className="rounded-sm border border-line bg-surface-0 p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
          >
            {prizes || 'No prizes have been entered.'}
          </pre>
        )}
      </div>
    </Dialog>
  )
}
