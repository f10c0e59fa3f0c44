import { type HydrationState, isRouteErrorResponse, UNSAFE_ErrorResponseImpl as ErrorResponse } from 'react-router'
import { ApiError } from '#web/lib/api-error.ts'

type Errors = Record<string, unknown> | null

/** An error as the page carries it. */
export interface SerializedError {
  message: string
  /** Set where a loader answered with a status on purpose. */
  response?: { status: number; statusText: string; data: unknown }
}

const HIDDEN_MESSAGE = 'Internal error'

/** What a visitor may see of an error: what was meant for people, else nothing of the inside. */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof ApiError) return { message: error.message }
  if (!isRouteErrorResponse(error)) return { message: HIDDEN_MESSAGE }
  const { status, statusText, data } = error
  return { message: `HTTP ${status}`, response: { status, statusText, data: data as unknown } }
}

/** The error as the page's components know it, on the server and in the browser alike. */
export function deserializeError({ message, response }: SerializedError): unknown {
  return response ? new ErrorResponse(response.status, response.statusText, response.data) : { message }
}

export function deserializeErrors(errors: Record<string, SerializedError>): NonNullable<HydrationState['errors']> {
  return Object.fromEntries(Object.entries(errors).map(([id, error]) => [id, deserializeError(error)]))
}

export function serializeErrors(errors: Errors): Record<string, SerializedError> | null {
  return errors && Object.fromEntries(Object.entries(errors).map(([id, error]) => [id, serializeError(error)]))
}

/** The status of a page that shows these errors: the API's own where it is away or refuses, else `usual`. */
export function statusOf(errors: Errors, usual: number): number {
  const error = Object.values(errors ?? {}).find((one) => one instanceof ApiError && one.status >= 400)
  return error instanceof ApiError ? error.status : usual
}

/** The error that nobody foresaw, if there is one. */
export function unexpectedError(errors: Errors): unknown {
  return Object.values(errors ?? {}).find((error) => !(error instanceof ApiError) && !isRouteErrorResponse(error))
}
