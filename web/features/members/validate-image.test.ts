import { expect, test } from 'vitest'
import { validateImage } from './validate-image.ts'

test.each([
  ['image/png', 3_145_728, undefined],
  ['image/png', 3_145_729, 'Image must be smaller than ~3MB'],
  ['text/plain', 10, 'Please select an image file.'],
  ['', 10, 'Please select an image file.'],
])('says of a file of type %j with %d bytes: %s', (type, size, text) => {
  expect(validateImage({ type, size })).toBe(text)
})
