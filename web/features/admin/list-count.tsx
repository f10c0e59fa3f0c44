import type { CountedPage } from '#contract/admin.ts'
import { fullCount } from '#web/lib/numbers.ts'

/** How many there are. Very long lists are counted up to a limit only. */
export function ListCount({
  pagination,
  one,
  many,
}: {
  pagination: CountedPage | undefined
  one: string
  many: string
}) {
  return (
    <p role="status" className="min-h-5 text-muted tabular-nums">
      {pagination && say(pagination, one, many)}
    </p>
  )
}

function say({ total, is_exact }: CountedPage, one: string, many: string): string {
  if (!is_exact) return `More than ${fullCount(total - 1)} ${many}`
  return `${fullCount(total)} ${total === 1 ? one : many}`
}
