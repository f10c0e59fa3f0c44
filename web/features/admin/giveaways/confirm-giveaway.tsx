import type { Giveaway } from '#contract/giveaways.ts'
import { useAction } from '#web/components/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface Props {
  giveaway: Giveaway
  onDone: () => void
  onClose: () => void
}

export function ConfirmDelete({ giveaway, onDone, onClose }: Props) {
  const api = useApi()
  const deed = useAction()
  const remove = async () => {
    await deed(() => api('DELETE /api/giveaways', { query: {}, body: { id: giveaway.id } }), {
      success: 'Giveaway deleted successfully',
      failure: 'Failed to delete giveaway',
    })
    onDone()
  }
  return (
    <ConfirmDialog
      title="Delete Giveaway"
      text={`Are you sure you want to delete "${giveaway.title}"? Its entries and prizes go along. This action cannot be undone.`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={remove}
      onClose={onClose}
    />
  )
}

/** `isEarly`: the giveaway still runs, and ends with the draw. */
export function ConfirmDraw({ giveaway, isEarly, onDone, onClose }: Props & { isEarly: boolean }) {
  const api = useApi()
  const deed = useAction()
  const { title, winner_count, entry_count } = giveaway
  const draw = async () => {
    await deed(() => api('POST /api/giveaways', { body: { action: 'select-winners', giveaway_id: giveaway.id } }), {
      success: 'Winners selected successfully',
      failure: 'Failed to select winners',
    })
    onDone()
  }
  const label = isEarly ? 'Select Winners' : 'Draw winners'
  const winners = winner_count === 1 ? '1 winner' : `${winner_count} winners`
  const entries = entry_count === 1 ? '1 entry' : `${entry_count} entries`
  return (
    <ConfirmDialog
      title={label}
      text={`Are you sure you want to select ${winners} of "${title}" from ${entries}? ${isEarly ? 'It ends now, and the winners' : 'The winners'} are told at once. This action cannot be undone.`}
      confirmLabel={label}
      busyLabel="Selecting..."
      tone="primary"
      onConfirm={draw}
      onClose={onClose}
    />
  )
}
