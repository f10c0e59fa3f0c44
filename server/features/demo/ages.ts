const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)
export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
