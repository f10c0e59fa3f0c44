import { ApiError } from '#web/lib/api-error.ts'

/** Whether the server asks for a recent sign-in. */
export const needsSignIn = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'reauthentication_required'
