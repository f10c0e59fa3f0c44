import { ErrorResponse } from '#web/router/routes.ts'
import { expect, test } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { serializeError, serializeErrors, deserializeError, statusOf, unexpectedError } from './page-errors.ts'

const inside = new TypeError('relation "members" does not exist')
const busy = new ApiError(503, 'The site is busy right now.')
const missing = new ErrorResponse(404, null)

test('hides the message of an unexpected error', () => {
  expect(JSON.stringify(serializeErrors({ page: inside }))).not.toContain('members')
})

test('keeps the message of an API error', () => {
  expect(serializeError(busy)).toEqual({ message: 'The site is busy right now.' })
})

test('restores a thrown response from JSON', () => {
  const revived = deserializeError(JSON.parse(JSON.stringify(serializeError(missing))))
  expect(revived instanceof ErrorResponse && revived.status).toBe(404)
})

test.each([
  [null, 200, 200],
  [{ page: inside }, 500, 500],
  [{ page: busy }, 500, 503],
  [{ page: new ApiError(0, 'Request failed') }, 500, 500],
  [{ page: missing }, 404, 404],
])('with the errors %j and the fallback %d, the status is %d', (errors, fallback, status) => {
  expect(statusOf(errors, fallback)).toBe(status)
})

test('returns only unexpected errors for the log', () => {
  expect(unexpectedError({ root: missing, page: busy })).toBeUndefined()
  expect(unexpectedError({ page: inside })).toBe(inside)
})
