import { compactCount } from '#web/lib/numbers.ts'

/** A count with its noun: '1 report', '1.2K reports'. */
export const countText = (count: number, singular: string): string =>
  `${compactCount(count)} ${count === 1 ? singular : `${singular}s`}`
