import { ApiError, stringIn } from './api-error.ts'

/** What the server said of a failure, else that something went wrong. */
export function explain(error: unknown): string {
  return (error instanceof ApiError ? stringIn(error.body, 'error') : undefined) ?? 'Something went wrong'
}
