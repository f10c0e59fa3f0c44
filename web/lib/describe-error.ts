import { ApiError, stringIn } from './api-error.ts'

const said = (error: unknown) => (error instanceof ApiError ? stringIn(error.body, 'error') : undefined)

/** What the server said of a failure, else that something went wrong. */
export const describeError = (error: unknown): string => said(error) ?? 'Something went wrong'

/** The same where the ways of failing are told apart: the portal, and what can be tried again. */
export function describeActionError(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Action failed'
  if (error.status === 0) return 'The site did not answer. Check your connection and try again.'
  return said(error) ?? 'API call failed'
}

export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403
