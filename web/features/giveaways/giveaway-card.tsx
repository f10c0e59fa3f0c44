import Clock from 'lucide-react/icons/clock'
import Gift from 'lucide-react/icons/gift'
import LogIn from 'lucide-react/icons/log-in'
import MailCheck from 'lucide-react/icons/mail-check'
import Ticket from 'lucide-react/icons/ticket'
import Trophy from 'lucide-react/icons/trophy'
import type { ReactNode } from 'react'
import type { Giveaway } from '#contract/giveaways.ts'
import { useNow } from '#web/lib/clock.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { countdown } from './countdown.ts'
import { EnterButton } from './enter-button.tsx'
import { OwnPrize } from './own-prize.tsx'
import { Winners } from './winners.tsx'

const entriesOf = ({ entry_count, max_entries }: Giveaway) =>
  max_entries === null
    ? `${fullCount(entry_count)} ${entry_count === 1 ? 'entry' : 'entries'}`
    : `${fullCount(entry_count)} of ${fullCount(max_entries)} entries`

export function GiveawayCard({ giveaway, onEntered }: { giveaway: Giveaway; onEntered: (now: Giveaway) => void }) {
  const now = useNow()
  const endsAt = Date.parse(giveaway.end_date)
  const isEnded = giveaway.is_ended || endsAt <= now
  const { id, title, description, prize_description, winner_count, entry_requirement } = giveaway
  return (
    <article
      id={`giveaway-${id}`}
      className="flex h-full scroll-mt-20 flex-col gap-3 rounded-lg border border-line bg-surface-1 p-4 target:border-accent"
    >
      <header className="flex items-start justify-between gap-3">
        <h3 dir="auto" className="min-w-0 text-base font-semibold wrap-anywhere">
          {title}
        </h3>
        <State isEnded={isEnded} />
      </header>
      {prize_description && (
        <p dir="auto" className="flex items-start gap-2 font-medium text-accent wrap-anywhere">
          <Gift aria-hidden className="mt-0.5 size-4 shrink-0" />
          {prize_description}
        </p>
      )}
      {description && (
        <p dir="auto" className="whitespace-pre-line text-muted wrap-anywhere">
          {description}
        </p>
      )}
      <ul className="mt-auto grid grid-cols-2 gap-x-3 gap-y-2 text-muted tabular-nums">
        <Fact icon={Clock}>{isEnded ? 'Ended' : countdown(endsAt, now)}</Fact>
        <Fact icon={Ticket}>{entriesOf(giveaway)}</Fact>
        <Fact icon={Trophy}>{winner_count === 1 ? '1 winner' : `${winner_count} winners`}</Fact>
        {entry_requirement === 'verified' ? (
          <Fact icon={MailCheck}>Verified e-mail</Fact>
        ) : (
          <Fact icon={LogIn}>Any member</Fact>
        )}
      </ul>
      {giveaway.user_won && <OwnPrize prize={giveaway.prize_value} />}
      {isEnded ? <Winners giveaway={giveaway} /> : <EnterButton giveaway={giveaway} onEntered={onEntered} />}
    </article>
  )
}

function State({ isEnded }: { isEnded: boolean }) {
  const look = isEnded ? 'bg-surface-2 text-muted' : 'bg-accent-strong text-on-accent'
  return (
    <span className={`shrink-0 rounded-sm px-2 py-0.5 text-xs font-medium ${look}`}>
      {isEnded ? 'Ended' : 'Active'}
    </span>
  )
}

function Fact({ icon: Icon, children }: { icon: typeof Clock; children: ReactNode }) {
  return (
    <li className="flex min-w-0 items-center gap-2">
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0">{children}</span>
    </li>
  )
}
