import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLinks } from '../src/find-links.ts'

const linksOf = (text: string) => findLinks(text).flatMap(({ href }) => href ?? [])

describe('findLinks', () => {
  test.each([
    ['see https://example.com/a?b=c#d now', ['https://example.com/a?b=c#d']],
    ['HTTPS://EXAMPLE.com', ['https://example.com/']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['[docs](https://example.com/docs).', ['https://example.com/docs']],
    ['https://example.com/a, https://example.org/b!', ['https://example.com/a', 'https://example.org/b']],
    ['<https://example.com>', ['https://example.com/']],
    ['https://example.com"onmouseover="alert(1)', ['https://example.com/']],
    ['https://example.com/\u202egnp.exe', ['https://example.com/']],
    ['http://[::1]:8080/x', ['http://[::1]:8080/x']],
  ])('finds the URLs in %j', (text, links) => {
    expect(linksOf(text)).toEqual(links)
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    '//example.com',
    'xhttps://example.com',
    'https://',
    'https://user:secret@example.com/',
    'https://example.com@evil.example/',
    'https://[not an address',
    `https://example.com/${'a'.repeat(2048)}`,
    'www.example.com',
  ])('treats %j as plain text', (text) => {
    expect(findLinks(text)).toEqual([{ text, href: null }])
  })

  test('keeps every character and links only http(s) URLs without credentials', () => {
    const piece = fc.constantFrom(
      'https://',
      'http://',
      'a.b',
      '@',
      ':',
      '(',
      ')',
      '.',
      ' ',
      '"',
      '<',
      '\u202e',
      'é',
      '🎮',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        expect(
          findLinks(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
        for (const link of linksOf(text)) {
          expect(new URL(link)).toMatchObject({
            protocol: expect.stringMatching(/^https?:$/),
            username: '',
            password: '',
          })
        }
      }),
    )
  })

  test('takes linear time', () => {
    expect(findLinks('https://('.repeat(100_000)).length).toBe(1)
    expect(linksOf(`https://a.b/${'.'.repeat(500_000)}`)).toEqual(['https://a.b/'])
  })
})
