import { useNow } from '#web/lib/clock.ts'
import { relativeTime } from '#web/lib/relative-time.ts'

/** How long ago something was. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const now = useNow()
  return (
    <time dateTime={iso} title={`${iso.slice(0, 16).replace('T', ' ')} UTC`} className={className}>
      {relativeTime(iso, new Date(now))}
    </time>
  )
}
