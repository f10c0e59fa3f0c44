import { type RawBuilder, sql } from 'kysely'
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { invalidField } from './field-errors.ts'

/** Longer ones were not made here. A title of 100 ligatures has 4,000 characters in the form by which it is sorted. */
const MAX_LENGTH = 8000

/** Makes and reads cursors: positions in a list, opaque to clients. */
export function cursorOf<T extends TSchema>(schema: T) {
  const validator = Compile(schema)
  return {
    encode: (position: Static<T>): string => Buffer.from(JSON.stringify(position)).toString('base64url'),
    /** Throws AppError `invalid`. */
    decode: (cursor: string): Static<T> => {
      const position = cursor.length <= MAX_LENGTH ? parse(Buffer.from(cursor, 'base64url').toString()) : undefined
      if (validator.Check(position)) return position
      throw invalidField('cursor', 'Use the next_cursor of the page before.')
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const cursorId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** Text that PostgreSQL accepts. */
export const cursorText = Type.Refine(Type.String(), (text) => !text.includes('\0'))

const TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** A time in UTC with microseconds, which PostgreSQL accepts. */
export const cursorTime = Type.Refine(Type.String(), (text) => {
  const time = TIME.test(text) ? new Date(text) : undefined
  // JavaScript reads February 30 as March 2.
  return time !== undefined && !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === text.slice(0, 19)
})

export const toCursorTime = (time: RawBuilder<unknown>) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** The same for a time in the JSON of PostgreSQL: ISO 8601 with up to six digits of a second. */
export function cursorTimeOf(time: string): string {
  const [, fraction = ''] = /\.(\d+)/.exec(time) ?? []
  return `${new Date(time).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}Z`
}
