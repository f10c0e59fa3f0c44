import { ErrorResponse } from '#web/router/routes.ts'
import { ApiError } from '#web/lib/api-error.ts'

type Errors = Record<string, unknown> | null

/** An error in the page's serialized state. */
export interface SerializedError {
  message: string
  /** Set if a loader threw a response with this status. */
  response?: { status: number; data: unknown }
}

const HIDDEN_MESSAGE = 'Internal error'

/** Serializes an error for the browser. Unexpected errors lose their message, which may contain internals. */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof ApiError) return { message: error.message }
  if (!(error instanceof ErrorResponse)) return { message: HIDDEN_MESSAGE }
  const { status, data } = error
  return { message: `HTTP ${status}`, response: { status, data } }
}

/** Restores an error, so that server and browser render the same. */
export function deserializeError({ message, response }: SerializedError): unknown {
  return response ? new ErrorResponse(response.status, response.data) : { message }
}

export function deserializeErrors(errors: Record<string, SerializedError>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(errors).map(([id, error]) => [id, deserializeError(error)]))
}

export function serializeErrors(errors: Errors): Record<string, SerializedError> | null {
  return errors && Object.fromEntries(Object.entries(errors).map(([id, error]) => [id, serializeError(error)]))
}

/** Status of a page with these errors: that of the API error, or else `fallback`. */
export function statusOf(errors: Errors, fallback: number): number {
  const error = Object.values(errors ?? {}).find((each) => each instanceof ApiError && each.status >= 400)
  return error instanceof ApiError ? error.status : fallback
}

/** The first error that is neither an API error nor a thrown response. */
export function unexpectedError(errors: Errors): unknown {
  return Object.values(errors ?? {}).find((error) => !(error instanceof ApiError) && !(error instanceof ErrorResponse))
}
