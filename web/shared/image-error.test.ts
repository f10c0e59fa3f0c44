import { expect, test } from 'vitest'
import { imageError } from './image-error.ts'

test('imageError rejects other files and images over 3 MB', () => {
  const messages = { notAnImage: 'type', tooLarge: 'size' }
  expect(imageError(new Blob(['x'], { type: 'text/plain' }), messages)).toBe('type')
  expect(imageError(new Blob(['x'], { type: 'image/heic' }), messages)).toMatch(/^Use a PNG/)
  expect(imageError(new Blob([new Uint8Array(3_145_729)], { type: 'image/png' }), messages)).toBe('size')
  expect(imageError(new Blob([new Uint8Array(3_145_728)], { type: 'image/png' }), messages)).toBeUndefined()
})
