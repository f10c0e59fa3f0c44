import { ApiError, stringIn } from './api-error.ts'

/** Why a call failed, in the server's words where it said any. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Action failed'
  if (error.status === 0) return 'The site did not answer. Check your connection and try again.'
  return stringIn(error.body, 'error') ?? 'API call failed'
}

export const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status === 403
