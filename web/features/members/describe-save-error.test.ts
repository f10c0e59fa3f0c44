import { expect, test } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { describeSaveError } from './describe-save-error.ts'

const TOO_LARGE = 'Image too large. Please use an image under ~3MB (or ~4MB base64).'

test.each([
  [new ApiError(413, 'Too much.', { error: 'Too much.' }), TOO_LARGE],
  [new ApiError(403, 'You are muted.', { error: 'You are muted.' }), 'You are muted.'],
  [new ApiError(502, 'HTTP 502', '<html>'), 'Failed to update profile.'],
  [new ApiError(0, 'Request failed'), 'Failed to update profile. Please try again.'],
  [new TypeError('x is undefined'), 'Failed to update profile. Please try again.'],
])('says of %o: %s', (error, text) => {
  expect(describeSaveError(error)).toBe(text)
})
