import { prizeLines, isKeyPrize } from './prizes.ts'
import { wrongField } from './refusals.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
const FORBIDDEN = /[\p{Cc}--[\t\n\r]]/v
const LATEST_YEAR = 2100

/** A time as a form gives it: a day means its end, in UTC. Throws AppError `invalid`. */
export function readEndDate(given: string): Date {
  const text = DAY.test(given) ? `${given}T23:59:59.999Z` : given
  const end = new Date(TIME.test(text) ? text : Number.NaN)
  if (Number.isNaN(end.getTime()) || end.getUTCFullYear() > LATEST_YEAR) {
    throw wrongField('end_date', 'must be a day such as 2030-01-31')
  }
  if (end.getTime() <= Date.now()) throw wrongField('end_date', 'must not be in the past')
  return end
}

/** Text of a form, trimmed. Throws AppError `invalid` for control characters. */
export function readText(field: string, given: string): string {
  if (FORBIDDEN.test(given)) throw wrongField(field, 'contains characters that are not allowed')
  return given.trim()
}

/** Throws AppError `invalid` where keys are given away and there are fewer of them than winners. */
export function requirePrizes(giveaway: { prizeType: string; prizeValue: string; winnerCount: number }): void {
  const { prizeType, prizeValue, winnerCount } = giveaway
  if (!isKeyPrize(prizeType)) return
  const lines = prizeLines(prizeValue).length
  if (lines < winnerCount) {
    throw wrongField(
      'prize_value',
      `needs a line with a key for each of the ${winnerCount} winners; there are ${lines}`,
    )
  }
}
