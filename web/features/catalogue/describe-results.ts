import type { Pagination } from '#contract/catalogue.ts'
import { fullCount } from '#web/lib/numbers.ts'

export function countScripts(count: number): string {
  return count === 1 ? '1 script' : `${fullCount(count)} scripts`
}

/** What part of how many is shown, with exact totals. */
export function describeResults({ page, limit, total, pages }: Pagination): string {
  if (pages < 2 || page > pages) return countScripts(total)
  const first = (page - 1) * limit + 1
  const last = Math.min(page * limit, total)
  return `${fullCount(first)}–${fullCount(last)} of ${countScripts(total)}`
}
