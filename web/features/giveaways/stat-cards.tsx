import type { LucideIcon } from 'lucide-react'
import Gift from 'lucide-react/icons/gift'
import Ticket from 'lucide-react/icons/ticket'
import Trophy from 'lucide-react/icons/trophy'
import type { Giveaway } from '#contract/giveaways.ts'
import { fullCount } from '#web/lib/numbers.ts'

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

export function StatCards({ giveaways }: { giveaways: Giveaway[] }) {
  return (
    <ul className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      <Stat icon={Gift} label="Active Giveaways" value={giveaways.filter(({ is_ended }) => !is_ended).length} />
      <Stat icon={Ticket} label="Total Entries" value={sum(giveaways.map(({ entry_count }) => entry_count))} />
      <Stat icon={Trophy} label="Winners Selected" value={sum(giveaways.map(({ winners }) => winners.length))} />
    </ul>
  )
}

function Stat({ icon: Icon, label, value }: { icon: LucideIcon; label: string; value: number }) {
  return (
    <li className="flex items-center gap-3 rounded-md border border-line bg-surface-1 p-4">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon aria-hidden className="size-5" />
      </span>
      <p className="flex flex-col-reverse">
        <span className="text-muted">{label}</span>
        <span className="text-xl font-semibold tabular-nums">{fullCount(value)}</span>
      </p>
    </li>
  )
}
