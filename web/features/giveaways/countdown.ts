const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES

/** How long a giveaway still runs, in its two largest units: '12d 4h remaining', '4h 7m remaining', '7m remaining'. */
export function countdown(endsAt: number, now: number): string {
  if (endsAt <= now) return 'Ended'
  const minutes = Math.floor((endsAt - now) / MINUTE_MS)
  const [days, hours] = [Math.floor(minutes / DAY_MINUTES), Math.floor((minutes % DAY_MINUTES) / HOUR_MINUTES)]
  if (days > 0) return `${days}d ${hours}h remaining`
  if (hours > 0) return `${hours}h ${minutes % HOUR_MINUTES}m remaining`
  return `${minutes}m remaining`
}
