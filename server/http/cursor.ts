import Type, { type Static, type TSchema } from 'typebox'
import Compile from 'typebox/compile'
import { invalidField } from './field-errors.ts'

/** Longer ones were not made here. */
const MAX_LENGTH = 500

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
