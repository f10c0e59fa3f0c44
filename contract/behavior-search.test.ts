import { expect, test } from 'vitest'
import { normalizeHost, splitBehaviorWords } from './behavior-search.ts'

test.each([
  ['pastebin.com', 'pastebin.com'],
  [' Pastebin.COM. ', 'pastebin.com'],
  ['https://user@Raw.githubusercontent.com:443/a/b?c#d', 'raw.githubusercontent.com'],
  ['localhost:3000', 'localhost'],
  ['[::1]:80', '[::1]'],
  ['1.2.3.4', '1.2.3.4'],
  ['pastebin', undefined],
  ['', undefined],
  ['a b.com', undefined],
  ['a..com', undefined],
  ['"x".com', undefined],
  [`${'a'.repeat(250)}.com`, undefined],
])('the host of %j is %j', (text, host) => {
  expect(normalizeHost(text)).toBe(host)
})

const NOTHING = { text: '', uses: [], lacks: [], hosts: [] }

test.each([
  ['double jump', { text: 'double jump' }],
  ['jump host:Pastebin.com', { text: 'jump', hosts: ['pastebin.com'] }],
  ['host:b.com,a.com host:a.com', { hosts: ['a.com', 'b.com'] }],
  ['USES:net.webhook,code.remote uses:net.webhook', { uses: ['net.webhook', 'code.remote'] }],
  ['lacks:needs.executor menu', { text: 'menu', lacks: ['needs.executor'] }],
  ['uses:sword uses:net.get,sword uses:', { text: 'uses:sword uses:net.get,sword uses:' }],
  ['host: host:party host:, lacks:,', { text: 'host: host:party host:, lacks:,' }],
  ['ghost:a.com', { text: 'ghost:a.com' }],
])('splits %j', (text, expected) => {
  expect(splitBehaviorWords(text)).toEqual({ ...NOTHING, ...expected })
})
