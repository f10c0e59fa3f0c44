import { useNowValue } from '#web/lib/clock.ts'

export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const text = useNowValue((now) => relativeTime(iso, new Date(now)))
  return (
    <time dateTime={iso} title={`${iso.slice(0, 16).replace('T', ' ')} UTC`} className={className}>
      {text}
    </time>
  )
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30 * DAY
const YEAR = 365 * DAY

const UNITS = [
  [YEAR, 'year'],
  [MONTH, 'month'],
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
] as const

/** Time since `iso` in the largest whole unit: 'just now', '5 minutes ago', '1 year ago'. */
export function relativeTime(iso: string, now: Date): string {
  const seconds = Math.floor((now.getTime() - Date.parse(iso)) / 1000)
  for (const [length, unit] of UNITS) {
    if (seconds < length) continue
    const count = Math.floor(seconds / length)
    return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
