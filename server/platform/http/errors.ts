import type { FastifyError } from 'fastify'
import type { Problem } from '#contract/operation.ts'

export interface ErrorDetails {
  /** What is wrong, by field of the form. */
  fields?: Record<string, string>
  /** What was withdrawn, and what replaces it. */
  withdrawn?: NonNullable<Problem['withdrawn']>
  retryAfter?: number
  headers?: Record<string, string>
  /** Original error, for the log only. */
  cause?: unknown
}

export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly details: ErrorDetails

  constructor(code: string, status: number, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.status = status
    this.details = details
  }
}

export const unauthorized = () => new AppError('unauthorized', 401, 'Unauthorized')

export const forbidden = () => new AppError('forbidden', 403, 'You are not allowed to do this.')

export const notFound = (thing: string) => new AppError('not_found', 404, `${thing} was not found.`)

const FRAMEWORK_ERRORS: Record<string, AppError> = {
  FST_ERR_CTP_INVALID_JSON_BODY: new AppError('malformed_json', 400, 'The request is not valid JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: new AppError('malformed_json', 400, 'The request has no body; send JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError('malformed_request', 400, 'The request is incomplete.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('unsupported_type', 415, 'Send the request as application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError('too_large', 413, 'The request is too large.'),
  FST_ERR_BAD_URL: new AppError('bad_address', 400, 'This URL is malformed.'),
}

// SQLSTATE classes: 08 connection, 40 transaction rollback, 53 insufficient resources, 57 operator intervention, and the code
// of a write on a server that is no longer the primary; and the codes and messages of Node and pg for the same.
const UNAVAILABLE = /^(08|25006|40|53|57)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/
const UNAVAILABLE_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection/
/** SQLSTATE `transaction_resolution_unknown`: the connection was lost during COMMIT. */
const UNCONFIRMED_COMMIT = '08007'

function isDatabaseUnavailable(error: Error & { code?: string }): boolean {
  return UNAVAILABLE.test(error.code ?? '') || UNAVAILABLE_TEXT.test(error.message)
}

/** Codes of Node for a disk that is full, over its quota, broken or read-only. */
const STORAGE_FAILED = /^(ENOSPC|EDQUOT|EIO|EROFS)$/

/** A row was deleted between a check and the statement that references it. */
const FOREIGN_KEY_VIOLATION = '23503'

/** An unexpected error becomes a 500 without details. */
export function toAppError(error: Error & Partial<FastifyError>): AppError {
  if (error instanceof AppError) return error
  const frameworkError = FRAMEWORK_ERRORS[error.code ?? '']
  if (frameworkError) return frameworkError
  if (error.code === UNCONFIRMED_COMMIT) {
    const message = 'We could not confirm that this was saved. Please reload the page and check before you try again.'
    return new AppError('unconfirmed', 503, message, { retryAfter: 2 })
  }
  if (isDatabaseUnavailable(error)) {
    return new AppError('unavailable', 503, 'The site is busy right now. Please try again in a moment.', {
      retryAfter: 2,
    })
  }
  if (STORAGE_FAILED.test(error.code ?? '')) {
    const message = 'The site cannot save files right now. Please try again in a minute.'
    return new AppError('storage_failed', 503, message, { retryAfter: 60 })
  }
  if (error.code === FOREIGN_KEY_VIOLATION) {
    return new AppError('gone_meanwhile', 409, 'This was deleted in the meantime. Please reload the page.')
  }
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('bad_request', error.statusCode, 'The request is invalid.')
  }
  return new AppError('internal', 500, 'Something went wrong on our side. Please try again.')
}

export function toProblem(error: AppError): Problem {
  const { fields, withdrawn } = error.details
  return { error: error.message, code: error.code, ...(fields && { fields }), ...(withdrawn && { withdrawn }) }
}
