import { ApiError, stringIn } from './api-error.ts'

const serverMessage = (error: unknown) => (error instanceof ApiError ? stringIn(error.body, 'error') : undefined)

const UNAUTHORIZED = 401
const SIGNED_OUT = "Unauthorized. You've been signed out. Sign in and try again."

const messageOf = (error: unknown) =>
  error instanceof ApiError && error.status === UNAUTHORIZED ? SIGNED_OUT : serverMessage(error)

/** The server's message, or else a general one. */
export const describeError = (error: unknown, fallback = 'Something went wrong'): string => messageOf(error) ?? fallback

/** Like describeError, but distinguishes other causes: no connection, and errors without a message. */
export function describeActionError(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Action failed'
  if (error.status === 0) return "Couldn't reach the server. Check your connection and try again."
  return messageOf(error) ?? 'API call failed'
}

export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403
