import Check from 'lucide-react/icons/check'
import Clock from 'lucide-react/icons/clock'
import Gift from 'lucide-react/icons/gift'
import LogIn from 'lucide-react/icons/log-in'
import MailCheck from 'lucide-react/icons/mail-check'
import PartyPopper from 'lucide-react/icons/party-popper'
import Ticket from 'lucide-react/icons/ticket'
import Trophy from 'lucide-react/icons/trophy'
import { type ReactNode, useState } from 'react'
import { Link } from '#web/router/router.tsx'
import type { Giveaway } from '#contract/giveaways.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { useToast } from '#web/ui/toast.tsx'

interface Props {
  giveaway: Giveaway
  /** The time in milliseconds. */
  now: number
  onEntered: (giveaway: Giveaway) => void
}

/** Whether a giveaway is over, also if it ended after it was loaded. */
export const hasEnded = ({ is_ended, end_date }: Giveaway, now: number): boolean =>
  is_ended || Date.parse(end_date) <= now

export function GiveawayCard({ giveaway, now, onEntered }: Props) {
  const endsAt = Date.parse(giveaway.end_date)
  const isEnded = hasEnded(giveaway, now)
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
        <Status isEnded={isEnded} />
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
        <Fact icon={Ticket}>{entriesText(giveaway)}</Fact>
        <Fact icon={Trophy}>{winner_count === 1 ? '1 winner' : `${winner_count} winners`}</Fact>
        {entry_requirement === 'verified' ? (
          <Fact icon={MailCheck}>Verified email</Fact>
        ) : (
          <Fact icon={LogIn}>Any member</Fact>
        )}
      </ul>
      {giveaway.user_won && <OwnPrize prize={giveaway.prize_value} />}
      {isEnded ? <Winners giveaway={giveaway} /> : <EnterButton giveaway={giveaway} onEntered={onEntered} />}
    </article>
  )
}

function Status({ isEnded }: { isEnded: boolean }) {
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

const entriesText = ({ entry_count, max_entries }: Giveaway) =>
  max_entries === null
    ? `${fullCount(entry_count)} ${entry_count === 1 ? 'entry' : 'entries'}`
    : `${fullCount(entry_count)} of ${fullCount(max_entries)} entries`

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES

/** Time left, in its two largest units: '12d 4h remaining', '4h 7m remaining', '7m remaining'. */
export function countdown(endsAt: number, now: number): string {
  if (endsAt <= now) return 'Ended'
  const minutes = Math.floor((endsAt - now) / MINUTE_MS)
  const [days, hours] = [Math.floor(minutes / DAY_MINUTES), Math.floor((minutes % DAY_MINUTES) / HOUR_MINUTES)]
  if (days > 0) return `${days}d ${hours}h remaining`
  if (hours > 0) return `${hours}h ${minutes % HOUR_MINUTES}m remaining`
  return `${minutes}m remaining`
}

const isFull = ({ max_entries, entry_count }: Giveaway) => max_entries !== null && entry_count >= max_entries

function EnterButton({ giveaway, onEntered }: Omit<Props, 'now'>) {
  const session = useSession()
  const { isEntering, enter } = useEntry(giveaway, onEntered)
  if (giveaway.user_entered) {
    return (
      <p className="flex min-h-11 items-center justify-center gap-2 rounded-sm bg-accent-soft font-medium text-accent sm:min-h-10">
        <Check aria-hidden className="size-4" />
        You're entered
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
        {isFull(giveaway) ? 'Giveaway is full' : isEntering ? 'Entering...' : 'Enter giveaway'}
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

function useEntry(giveaway: Giveaway, onEntered: Props['onEntered']) {
  const api = useApi()
  const toast = useToast()
  const [isEntering, setEntering] = useState(false)
  const enter = async () => {
    setEntering(true)
    try {
      const { giveaway: entered } = await api('POST /api/giveaways', {
        body: { action: 'enter', giveaway_id: giveaway.id },
      })
      toast({ title: 'Successfully entered giveaway! Good luck!', tone: 'success' })
      if (entered) onEntered(entered)
    } catch (error) {
      // An earlier response was lost, or the member entered in another tab.
      if (error instanceof ApiError && error.code === 'already_entered') onEntered({ ...giveaway, user_entered: true })
      toast({ title: describeError(error, 'Failed to enter giveaway'), tone: 'error' })
    } finally {
      setEntering(false)
    }
  }
  return { isEntering, enter }
}

/** The prize of a winner. Only the winner's own API response contains it, never the server-rendered page. */
function OwnPrize({ prize }: { prize: string | null }) {
  return (
    <div className="rounded-md border border-accent bg-accent-soft p-3">
      <p className="flex items-center gap-2 font-semibold text-accent">
        <PartyPopper aria-hidden className="size-4" />
        You won!
      </p>
      {prize ? (
        <p className="mt-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-all">{prize}</p>
      ) : (
        <p className="mt-1">The team will get in touch with you.</p>
      )}
    </div>
  )
}

function Winners({ giveaway: { id, winners, title } }: { giveaway: Giveaway }) {
  if (winners.length === 0) return <p className="text-muted">The winners have not been drawn yet.</p>
  return (
    <div className="flex flex-col gap-2">
      <h4 className="flex items-center gap-2 font-medium">
        <Trophy aria-hidden className="size-4 text-star" />
        {winners.length === 1 ? 'Winner' : 'Winners'}
      </h4>
      <ul className="flex flex-wrap gap-1.5">
        {winners.map(({ entry_id, name, slug }) => (
          <li key={entry_id} className="max-w-full">
            {slug ? (
              <Link
                to={`/profile/${slug}`}
                className="inline-flex min-h-11 max-w-full items-center rounded-sm bg-surface-2 px-2 hover:bg-surface-3 sm:min-h-7"
              >
                <bdi className="truncate">{name}</bdi>
              </Link>
            ) : (
              <span className="inline-flex min-h-11 items-center rounded-sm bg-surface-2 px-2 text-muted sm:min-h-7">
                {name}
              </span>
            )}
          </li>
        ))}
      </ul>
      <Link to={`/giveaways/${id}/draw`} className="w-fit py-1 text-accent underline underline-offset-2">
        Verify this draw<span className="sr-only"> of {title}</span>
      </Link>
    </div>
  )
}
