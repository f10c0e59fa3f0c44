const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/

/** Whether a text is a day that exists, such as 2030-01-31. */
export function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text)?.map(Number) ?? []
  if (!year || !month || !day) return false
  // Day 0 of the next month is the last of this one. JavaScript itself accepts February 30 as March 2.
  return month <= 12 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/**
 * An ISO 8601 time with its zone, or a day at a clock time in UTC. Null if it is neither, or does not exist: there is no
 * February 30 and no 24:00. With `mayLackZone`, a time without a zone is in UTC.
 */
export function parseDayOrTime(text: string, clock: string, { mayLackZone = false } = {}): Date | null {
  if (isDay(text)) return new Date(`${text}T${clock}Z`)
  const [, day = '', , zone] = TIME.exec(text) ?? []
  if (!isDay(day) || !(zone || mayLackZone)) return null
  return new Date(zone ? text : `${text}Z`)
}
