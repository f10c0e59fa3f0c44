import Dices from 'lucide-react/icons/dices'
import KeyRound from 'lucide-react/icons/key-round'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import Trophy from 'lucide-react/icons/trophy'
import type { ReactNode } from 'react'
import type { Giveaway } from '#contract/giveaways.ts'
import { timeText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { canDraw, canSelectWinners, stateOf } from './giveaway-state.ts'
import type { GiveawayAction } from './giveaways-tab.tsx'
import { PRIZE_LABELS, REQUIREMENT_LABELS } from './prize-labels.ts'

export function GiveawayCard({ giveaway, onChoose }: { giveaway: Giveaway; onChoose: (deed: GiveawayAction) => void }) {
  const state = stateOf(giveaway)
  return (
    <article className="flex w-full min-w-0 flex-col gap-3 rounded-md border border-line bg-surface-1 p-4">
      <div className="flex items-start justify-between gap-3">
        <h3 dir="auto" className="min-w-0 text-base font-semibold wrap-anywhere">
          {giveaway.title}
        </h3>
        <Pill tone={state.tone}>{state.label}</Pill>
      </div>
      {giveaway.description && (
        <p dir="auto" className="line-clamp-3 wrap-anywhere whitespace-pre-wrap text-muted">
          {giveaway.description}
        </p>
      )}
      <Facts giveaway={giveaway} />
      <Winners giveaway={giveaway} />
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
        <Button size="sm" onClick={() => onChoose('edit')} aria-label={`Edit ${giveaway.title}`}>
          <Pencil aria-hidden className="size-4" />
          Edit
        </Button>
        <Button size="sm" onClick={() => onChoose('prizes')} aria-label={`Prizes of ${giveaway.title}`}>
          <KeyRound aria-hidden className="size-4" />
          Prizes
        </Button>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => onChoose('delete')}
          aria-label={`Delete ${giveaway.title}`}
          className="ml-auto"
        >
          <Trash2 aria-hidden className="size-4" />
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
      <Fact name="Needs">{REQUIREMENT_LABELS[entry_requirement]}</Fact>
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

function Winners({ giveaway }: { giveaway: Giveaway }) {
  if (giveaway.winners.length === 0) return null
  return (
    <p className="wrap-anywhere">
      <span className="text-muted">Won by </span>
      {giveaway.winners.map(({ name }) => name).join(', ')}
    </p>
  )
}
