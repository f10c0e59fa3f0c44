import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FLAGS } from '#contract/catalogue-names.ts'
import { normalizeUrl } from './routes.ts'

const PARAMETERS = ['order', 'page', 'search', 'sort', ...FLAGS].toSorted()
const normalize = (url: string) => normalizeUrl(url, PARAMETERS)

describe('the URL of a page', () => {
  test.each([
    ['/', '/'],
    ['/?', '/'],
    ['/scripts/a-1', '/scripts/a-1'],
    ['/?utm_source=x&fbclid=y', '/'],
    ['/?sort=title&page=2', '/?page=2&sort=title'],
    ['/?page=2&sort=title&token=secret', '/?page=2&sort=title'],
    ['/?page=2&page=3', '/?page=2'],
    ['/?search=&page=2', '/?page=2'],
    ['/?search=a+b&featured=true', '/?featured=true&search=a+b'],
    ['/?search=a%20b', '/?search=a+b'],
    ['/?search=%C3%A9', '/?search=%C3%A9'],
    ['/?search=a%26page%3D9', '/?search=a%26page%3D9'],
    ['/?search=a?b', '/?search=a%3Fb'],
    ['/?search=%', '/?search=%25'],
    ['/?Search=a&PAGE=2', '/'],
    ['/?page[]=2&__proto__=1', '/'],
  ])('%s becomes %s', (input, normalized) => {
    expect(normalize(input)).toBe(normalized)
  })

  test('limits the length of each value', () => {
    expect(normalize(`/?search=${'a'.repeat(5000)}`)).toBe(`/?search=${'a'.repeat(400)}`)
  })

  const parameters = fc.array(fc.tuple(fc.constantFrom('search', 'page', 'sort', 'x', ...FLAGS), fc.string()))

  test('does not depend on the order of parameters and on unknown ones', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('search', 'page', ...FLAGS), fc.string()),
        fc.string(),
        (input, unknown) => {
          const one = new URLSearchParams(input)
          const other = new URLSearchParams([['ref', unknown], ...[...one].toReversed(), ['y', unknown]])
          expect(normalize(`/a?${other}`)).toBe(normalize(`/a?${one}`))
        },
      ),
    )
  })

  test('stays the same when it is normalized again', () => {
    fc.assert(
      fc.property(parameters, (input) => {
        const url = normalize(`/a?${new URLSearchParams(input)}`)
        expect(normalize(url)).toBe(url)
      }),
    )
  })
})
