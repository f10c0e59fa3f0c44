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
    [
      'https://example.com:8080. (https://example.com:8080/a)',
      ['https://example.com:8080/', 'https://example.com:8080/a'],
    ],
    [
      'https://example.com./a https://example.com, https://example.com;',
      ['https://example.com./a', 'https://example.com/', 'https://example.com/'],
    ],
    ['https://i❤.example/ https://xn--p1ai.example', ['https://xn--i-7iq.example/', 'https://xn--p1ai.example/']],
    ['https://example.com/a-b_c~d,e;f?g=h:i&j=k', ['https://example.com/a-b_c~d,e;f?g=h:i&j=k']],
  ])('finds the URLs in %j', (text, links) => {
    expect(linksOf(text)).toEqual(links)
  })

  test.each([
    ...Array.from(
      '，。、；：！？」』】》〉〕）｝］”’»›…—·・｜～＂＇。．｡،؟؛।။។།։',
      (end) => `https://example.com${end}继续`,
    ),
    'https://example.com继续',
    'https://example.comです',
    'https://example.com에서',
    'https://example.comครับ',
    'https://example.comпривет',
    'https://example.com🎮',
    'https://example.com\u00a0a',
    'https://example.com—a',
    '请看https://example.com，谢谢',
    'ここhttps://example.com。',
    'ดูhttps://example.com',
    'смотриhttps://example.com',
    '여기https://example.com/.',
    '「https://example.com」',
    '（https://example.com/）',
    '“https://example.com/”',
    '‘https://example.com/’',
    '🎮https://example.com',
  ])('finds only the host in %j', (text) => {
    expect(linksOf(text)).toEqual(['https://example.com/'])
  })

  test.each([
    ['https://example.com/路径，继续', '/路径'],
    ['https://example.com/a？b', '/a'],
    ['https://example.com/?a=1。b', '/?a=1'],
    ['https://example.com/a#b、c', '/a#b'],
    ['https://example.com/L’Équipe–2…', '/L’Équipe–2'],
    ['https://example.com/スティーブ・ジョブズ・', '/スティーブ・ジョブズ'],
    ['https://example.com/佐々木。', '/佐々木'],
    ['https://example.com/a（b', '/a'],
    ['https://example.com/مرحبا،', '/مرحبا'],
  ])('finds the path in %j', (text, path) => {
    expect(linksOf(text)).toEqual([new URL(path, 'https://example.com').href])
  })

  test.each([
    ['https://例子.中国，继续', 'https://例子.中国'],
    ['https://пример.рф/а.', 'https://пример.рф/а'],
    ['https://例子.com吧', 'https://例子.com'],
    ['https://münchen.example。', 'https://münchen.example'],
    ['https://x.vermögensberatung', 'https://x.vermögensberatung'],
  ])('links hosts in any script: %j', (text, url) => {
    expect(linksOf(text)).toEqual([new URL(url).href])
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
    'https://example.com:80@evil.example/',
    'https://example.com继续@evil.example/',
    'https://ex%61mple.com/',
    '1https://example.com',
    'éhttps://example.com',
    '_https://example.com',
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
      '，',
      '。',
      '中',
      '[',
      '/',
      '%',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        expect(
          findLinks(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
        for (const { text: shown, href } of findLinks(text)) expect(href !== null && /[，。]/.test(shown)).toBe(false)
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
    expect(linksOf(`https://${'a.'.repeat(200_000)}-${'-'.repeat(200_000)}`)).toEqual([])
    expect(findLinks('https://a'.repeat(50_000)).length).toBe(2)
  })
})
