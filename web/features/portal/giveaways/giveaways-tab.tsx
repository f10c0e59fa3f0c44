import { type ReactNode, useState } from 'react'
import { useRevalidator } from '#web/router/router.tsx'
import Dices from 'lucide-react/icons/dices'
import Gift from 'lucide-react/icons/gift'
import KeyRound from 'lucide-react/icons/key-round'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash'
import Trophy from 'lucide-react/icons/trophy'
import type { Giveaway } from '#contract/giveaways.ts'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { timeText } from '#web/lib/dates.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Select } from '#web/ui/select.tsx'
import { GiveawayDialog } from './giveaway-dialog.tsx'
import { canDraw, canSelectWinners, PRIZE_LABELS, REQUIREMENT_LABELS, stateOf } from './giveaway-state.ts'
import { readListQuery, useListQuery } from '#web/features/portal/list-query.ts'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { LoadError, TabSkeleton } from '#web/features/portal/tab-parts.tsx'

const QUERY = { status: ['all', 'active', 'ended', 'inactive'] } as const
const STATUS = { all: 'All', active: 'Active', ended: 'Ended', inactive: 'Inactive' }

type GiveawayAction = 'edit' | 'select' | 'draw' | 'prizes' | 'delete'
type Opened = { action: 'create' } | { action: GiveawayAction; giveaway: Giveaway }

export const loader = createLoader(
  async (api, { query, signal }) => {
    const { status } = readListQuery(query, QUERY)
    const { data } = await api('GET /api/giveaways', { query: { admin: 'true', status }, signal })
    return data.giveaways
  },
  { errorTitle: 'Failed to fetch giveaways' },
)

export function Component() {
  const { values, change } = useListQuery(QUERY)
  const { status } = values
  const { data: giveaways, error, isPending, reload } = useTabData<readonly Giveaway[]>()
  const [opened, setOpened] = useState<Opened>()

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Select
          isLabelAlwaysVisible
          label="Status"
          value={status}
          options={STATUS}
          onChange={(next) => change({ status: next })}
        />
        <Button variant="primary" onClick={() => setOpened({ action: 'create' })}>
          <Plus aria-hidden className="size-4" />
          Create giveaway
        </Button>
      </div>
      {error && <LoadError text={error} onRetry={reload} />}
      {!giveaways && !error && <TabSkeleton />}
      {giveaways && giveaways.length > 0 && (
        <ul
          aria-label="Giveaways"
          aria-busy={isPending}
          className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))] gap-4 ${isPending ? 'opacity-60' : ''}`}
        >
          {giveaways.map((giveaway) => (
            <li key={giveaway.id} className="flex min-w-0">
              <GiveawayCard giveaway={giveaway} onChoose={(action) => setOpened({ action, giveaway })} />
            </li>
          ))}
        </ul>
      )}
      {giveaways?.length === 0 && (
        <EmptyState
          icon={Gift}
          title={status === 'all' ? 'No giveaways yet' : `No ${status} giveaways`}
          text={status === 'all' ? 'Create the first one.' : 'Choose another status to see more.'}
        />
      )}
      {opened && <OpenedDialog opened={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}

function OpenedDialog({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  if (opened.action === 'create') return <GiveawayDialog onClose={onClose} />
  const { action, giveaway } = opened
  switch (action) {
    case 'edit':
      return <GiveawayDialog giveaway={giveaway} onClose={onClose} />
    case 'prizes':
      return <PrizesDialog giveaway={giveaway} onClose={onClose} />
    case 'delete':
      return <ConfirmDelete giveaway={giveaway} onClose={onClose} />
    case 'select':
    case 'draw':
      return <ConfirmDraw giveaway={giveaway} isEarly={action === 'select'} onClose={onClose} />
  }
}

function GiveawayCard({ giveaway, onChoose }: { giveaway: Giveaway; onChoose: (action: GiveawayAction) => void }) {
  const { title, description, winners } = giveaway
  const state = stateOf(giveaway)
  return (
    <article className="flex w-full min-w-0 flex-col gap-3 rounded-md border border-line bg-surface-1 p-4">
      <div className="flex items-start justify-between gap-3">
        <h3 dir="auto" className="min-w-0 text-base font-semibold wrap-anywhere">
          {title}
        </h3>
        <Pill tone={state.tone}>{state.label}</Pill>
      </div>
      {description && (
        <p dir="auto" className="line-clamp-3 wrap-anywhere whitespace-pre-wrap text-muted">
          {description}
        </p>
      )}
      <Facts giveaway={giveaway} />
      {winners.length > 0 && (
        <p className="wrap-anywhere">
          <span className="text-muted">Won by </span>
          {winners.map(({ name }) => name).join(', ')}
        </p>
      )}
      <div className="mt-auto flex flex-wrap gap-2 border-t border-line pt-3">
        {canSelectWinners(giveaway) && (
          <Button size="sm" variant="primary" onClick={() => onChoose('select')}>
            <Trophy aria-hidden className="size-4" />
            Select Winners
          </Button>
        )}
        {canDraw(giveaway) && (
          <Button size="sm" variant="primary" onClick={() => onChoose('draw')}>
            <Dices aria-hidden className="size-4" />
            Draw winners
          </Button>
        )}
        <Button size="sm" onClick={() => onChoose('edit')} aria-label={`Edit ${title}`}>
          <Pencil aria-hidden className="size-4" />
          Edit
        </Button>
        <Button size="sm" onClick={() => onChoose('prizes')} aria-label={`Prizes of ${title}`}>
          <KeyRound aria-hidden className="size-4" />
          Prizes
        </Button>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => onChoose('delete')}
          aria-label={`Delete ${title}`}
          className="ml-auto"
        >
          <Trash aria-hidden className="size-4" />
          Delete
        </Button>
      </div>
    </article>
  )
}

function Facts({ giveaway }: { giveaway: Giveaway }) {
  const { prize_type, prize_description, entry_count, max_entries, winner_count, end_date, entry_requirement } =
    giveaway
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
      <Fact name="Prize">
        {PRIZE_LABELS[prize_type]}
        {prize_description && `: ${prize_description}`}
      </Fact>
      <Fact name="Entries">
        {fullCount(entry_count)} of {max_entries === null ? 'unlimited' : fullCount(max_entries)}
      </Fact>
      <Fact name="Winners">{winner_count}</Fact>
      <Fact name="Requires">{REQUIREMENT_LABELS[entry_requirement]}</Fact>
      <Fact name="Ends">{timeText(end_date)}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere tabular-nums">{children}</dd>
    </>
  )
}

interface DialogProps {
  giveaway: Giveaway
  onClose: () => void
}

function ConfirmDelete({ giveaway, onClose }: DialogProps) {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  const remove = async () => {
    await run(() => api('DELETE /api/giveaways', { query: {}, body: { id: giveaway.id } }), {
      success: 'Giveaway deleted successfully',
      failure: 'Failed to delete giveaway',
    })
    void revalidate()
  }
  return (
    <ConfirmDialog
      title="Delete giveaway"
      text={`Are you sure you want to delete "${giveaway.title}"? This also deletes its entries and prizes. This action cannot be undone.`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={remove}
      onClose={onClose}
    />
  )
}

/** Confirms the draw. `isEarly`: the giveaway is still running, and the draw closes it. */
function ConfirmDraw({ giveaway, isEarly, onClose }: DialogProps & { isEarly: boolean }) {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  const { title, winner_count, entry_count } = giveaway
  const draw = async () => {
    await run(() => api('POST /api/giveaways', { body: { action: 'select-winners', giveaway_id: giveaway.id } }), {
      success: 'Winners selected successfully',
      failure: 'Failed to select winners',
    })
    void revalidate()
  }
  const label = isEarly ? 'Select Winners' : 'Draw winners'
  const winners = winner_count === 1 ? '1 winner' : `${winner_count} winners`
  const entries = entry_count === 1 ? '1 entry' : `${entry_count} entries`
  const effect = isEarly ? 'This closes the giveaway and notifies the winners.' : 'This notifies the winners.'
  return (
    <ConfirmDialog
      title={label}
      text={`Are you sure you want to select ${winners} of "${title}" from ${entries}? ${effect} This action cannot be undone.`}
      confirmLabel={label}
      busyLabel="Selecting..."
      tone="primary"
      onConfirm={draw}
      onClose={onClose}
    />
  )
}

/** Shows the prizes on request, because each request is recorded. */
function PrizesDialog({ giveaway, onClose }: DialogProps) {
  const api = useApi()
  const [isBusy, setBusy] = useState(false)
  const [prizes, setPrizes] = useState<string>()
  const [error, setError] = useState<string>()
  const show = async () => {
    setBusy(true)
    setError(undefined)
    try {
      setPrizes((await api('GET /api/giveaway-prizes', { query: { id: giveaway.id } })).prize_value)
    } catch (failure) {
      setError(describeActionError(failure))
    }
    setBusy(false)
  }
  return (
    <Dialog size="sm" title="Prizes" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="wrap-anywhere text-muted">
          Prizes for the winners of <bdi className="text-text">{giveaway.title}</bdi>. Viewing them is recorded in the
          audit log.
        </p>
        {error && <FormAlert>{error}</FormAlert>}
        {prizes === undefined ? (
          <Button variant="primary" aria-disabled={isBusy} onClick={() => void show()} className="self-end">
            {isBusy ? 'Loading...' : 'Show prizes'}
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
