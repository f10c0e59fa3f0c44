import type { FastifyError } from 'fastify'
import type { Problem } from '#contract/operation.ts'

export interface ErrorDetails {
  /** What is wrong with each field of a rejected form. */
  fields?: Record<string, string>
  /** Seconds after which trying again makes sense. */
  retryAfter?: number
  /** What is behind it, for the log alone. */
  cause?: unknown
}

/** A failure that the caller is told about: a sentence for a person, a stable code for programs. */
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
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError('malformed_request', 400, 'The request is not complete.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('unsupported_type', 415, 'Send the request as application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError('too_large', 413, 'The request is too large.'),
  FST_ERR_BAD_URL: new AppError('bad_address', 400, 'This address is malformed.'),
}

// PostgreSQL's classes: 08 connection, 40 rolled back for another's sake, 53 resources, 57 shutdown and cancelled, and the
// driver's own words for the same.
const UNAVAILABLE = /^(08|40|53|57)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/
const UNAVAILABLE_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection/

function isDatabaseAway(error: Error & { code?: string }): boolean {
  return UNAVAILABLE.test(error.code ?? '') || UNAVAILABLE_TEXT.test(error.message)
}

/** A row went away between being looked at and being named in another. */
const FOREIGN_KEY_VIOLATION = '23503'

/** Every failure as one the caller may see; what nobody foresaw becomes a plain 500. */
export function toAppError(error: Error & Partial<FastifyError>): AppError {
  if (error instanceof AppError) return error
  const refused = FRAMEWORK_ERRORS[error.code ?? '']
  if (refused) return refused
  if (isDatabaseAway(error)) {
    return new AppError('unavailable', 503, 'The site is busy right now. Please try again in a moment.', {
      retryAfter: 2,
    })
  }
  if (error.code === FOREIGN_KEY_VIOLATION) {
    return new AppError('gone_meanwhile', 409, 'What this is about was deleted meanwhile. Please load the page anew.')
  }
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('bad_request', error.statusCode, 'The request could not be understood.')
  }
  return new AppError('internal', 500, 'Something went wrong on our side. Please try again.')
}

export function toProblem(error: AppError): Problem {
  const { fields } = error.details
  return { error: error.message, code: error.code, ...(fields ? { fields } : {}) }
}
