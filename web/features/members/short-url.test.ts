import { expect, test } from 'vitest'
import { shortUrl } from './short-url.ts'

test.each([
  ['https://www.example.com/', 'example.com'],
  ['http://example.com/ada/', 'example.com/ada'],
  ['https://example.com:8080/a?b=c#d', 'example.com:8080/a?b=c#d'],
  ['https://wwwhere.example/', 'wwwhere.example'],
  [`https://example.com/${'a'.repeat(100)}`, `example.com/${'a'.repeat(27)}…`],
])('shows %s as %s', (href, text) => {
  expect(shortUrl(href)).toBe(text)
})
