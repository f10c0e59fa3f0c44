import type { DemoReview } from '#demo/types.ts'

type Row = [member: string, rating: DemoReview['rating'], daysAgo: number, review?: string, reply?: string]

/** Spells out the short rows in which the reviews of one script are written down. */
export function reviewScript(script: string, rows: Row[]): DemoReview[] {
  return rows.map(([member, rating, daysAgo, review, reply]) => ({
    script,
    member,
    rating,
    review: review ?? null,
    daysAgo,
    ...(reply === undefined ? {} : { reply }),
  }))
}
