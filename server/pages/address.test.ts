import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FLAGS } from '#contract/catalogue-names.ts'
import { normaliseAddress } from './address.ts'

describe("a page's address", () => {
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
  ])('%s is kept as %s', (given, kept) => {
    expect(normaliseAddress(given)).toBe(kept)
  })

  test('keeps a bounded part of each value', () => {
    expect(normaliseAddress(`/?search=${'a'.repeat(5000)}`)).toBe(`/?search=${'a'.repeat(400)}`)
  })

  const parameters = fc.array(fc.tuple(fc.constantFrom('search', 'page', 'sort', 'x', ...FLAGS), fc.string()))

  test('is one, in whichever order and with whichever strangers its parameters come', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('search', 'page', ...FLAGS), fc.string()),
        fc.string(),
        (given, odd) => {
          const one = new URLSearchParams(given)
          const other = new URLSearchParams([['ref', odd], ...[...one].toReversed(), ['y', odd]])
          expect(normaliseAddress(`/a?${other}`)).toBe(normaliseAddress(`/a?${one}`))
        },
      ),
    )
  })

  test('stays as it is when it is normalised again', () => {
    fc.assert(
      fc.property(parameters, (given) => {
        const address = normaliseAddress(`/a?${new URLSearchParams(given)}`)
        expect(normaliseAddress(address)).toBe(address)
      }),
    )
  })
})
