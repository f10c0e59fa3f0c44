import type { TObject, TSchema } from 'typebox'

/** One call of the API: where it is, what goes in, what comes out for each status. */
export interface Operation {
  summary: string
  query?: TObject
  body?: TSchema
  /** No body counts as an empty object. */
  mayHaveNoBody?: boolean
  /** The most that the body may weigh; a megabyte unless told. */
  maxBodyBytes?: number
  /** Success bodies by status; failures always have the shape of `Problem`. */
  response: Record<number, TSchema>
}
