import Type, { type Static, type TObject, type TSchema } from 'typebox'

/** One call of the API: its query, its body, and the response for each status. */
export interface Operation {
  summary: string
  query?: TObject
  body?: TSchema
  /** Whether a missing body is read as an empty object. */
  mayHaveNoBody?: boolean
  /** Maximum body size in bytes; 64 KiB by default. */
  maxBodyBytes?: number
  /** Success bodies by status. Errors always have the shape of `Problem`. */
  response: Record<number, TSchema>
}

/** The body of every error response. `error` is a sentence for people, `code` is stable for programs. */
export const Problem = Type.Object({
  error: Type.String(),
  code: Type.String(),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'The reason for each rejected field' }),
  ),
})
export type Problem = Static<typeof Problem>

/** Parts that several operations share. */
export const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
export const time = Type.String({ format: 'date-time' })
export const nullableText = Type.Union([Type.String(), Type.Null()])
export const nullableTime = Type.Union([time, Type.Null()])
/** Rejects unknown fields. */
export const strict = { additionalProperties: false }
