import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, test } from 'vitest'
import { findLinks } from '../src/find-links.ts'
import { parseShortText } from '../src/short-text.ts'
import { type MarkdownElement, type MarkdownNode, textOf } from '../src/tree.ts'

const elementsOf = (nodes: readonly MarkdownNode[]): MarkdownElement[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...elementsOf(node[1])]))

const hrefsOf = (text: string) =>
  elementsOf(parseShortText(text)).flatMap(([tag, , value]) => (tag === 'a' ? [value] : []))

describe('parseShortText', () => {
  test.each([
    ['Call `door:Open()` first.', ['Call ', ['code', ['door:Open()']], ' first.']],
    ['`` a`b ``', [['code', ['a`b']]]],
    ['`a``b`', [['code', ['a``b']]]],
    ['``a`', ['``a`']],
    ['a ` b', ['a ` b']],
    ['`a\nb`', [['code', ['a b']]]],
    ['`a\n\nb`', ['`a\n\nb`']],
    ['`a\u202eb`', [['code', ['a', ['mark', ['U+202E']], 'b']]]],
    ['a\u202eb', ['ab']],
    ['See https://a.example/b.', ['See ', ['a', ['https://a.example/b'], 'https://a.example/b'], '.']],
    ['`https://a.example`', [['code', ['https://a.example']]]],
  ])('formats %j', (text, nodes) => {
    expect(parseShortText(text)).toEqual([['p', nodes]])
  })

  test.each([
    [
      'Try:\n\n```lua\n  a()\n\nb()\n```\n\nDone',
      [
        ['p', ['Try:']],
        ['pre', ['  a()\n\nb()'], 'lua'],
        ['p', ['Done']],
      ],
    ],
    ['```\na', [['pre', ['a'], '']]],
    ['  ```\n  a\n   b\n  ```', [['pre', ['a\n b'], '']]],
    ['````\n```\n````', [['pre', ['```'], '']]],
    ['```a```', [['p', [['code', ['a']]]]]],
    ['    ```\na', [['p', ['    ```\na']]]],
    ['```\na\u202eb\n```', [['pre', ['a', ['mark', ['U+202E']], 'b'], '']]],
    ['', []],
  ])('formats the blocks of %j', (text, blocks) => {
    expect(parseShortText(text)).toEqual(blocks)
  })

  test.each([
    '# Title\n\n- *one*\n- **two**\n\n> said\n\n---',
    '![image](javascript:alert(1)) [text](javascript:alert(1))',
    '<img src=x onerror=alert(1)> &lt; \\* __init__ ~~no~~',
    'a\n  b\n\n\n    c',
    'javascript:alert(1) data:text/html,x //a.example user@a.example',
  ])('shows %j as it was written', (text) => {
    expect(parseShortText(text)).toEqual([['p', [text]]])
  })

  const PIECES = ['`', '``', '```', '````', '\n', '\n\n', ' ', '  ', '    ', 'a', '*b*', '<i>', '[x](', 'lua', '\\']

  test('finds the same code as a parser of CommonMark', () => {
    const parser = new MarkdownIt('zero').enable(['fence', 'paragraph', 'backticks', 'newline'])
    const expected = (text: string) =>
      parser
        .parse(text.trimEnd(), {})
        .flatMap((token) => [token, ...(token.children ?? [])])
        .flatMap(({ type, content }) =>
          type === 'fence' ? [['pre', content.replace(/\n$/, '')]] : type === 'code_inline' ? [['code', content]] : [],
        )
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (markdown) => {
        const found = elementsOf(parseShortText(markdown)).filter(([tag]) => tag !== 'p')
        expect(found.map(([tag, children]) => [tag, textOf(children)])).toEqual(expected(markdown))
      }),
      { numRuns: 2000 },
    )
  })

  test('links only http(s) URLs that are links in the text without code', () => {
    const urls = ['https://', 'http://a.example/', 'javascript:', 'data:', '@', '"', '/', 'user', '中', '.']
    const text = fc.array(fc.constantFrom(...PIECES, ...urls), { maxLength: 40 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (shown) => {
        const links = findLinks(shown).map(({ href }) => href)
        for (const href of hrefsOf(shown)) {
          expect(href).toMatch(/^https?:\/\//)
          expect(links).toContain(href)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['backticks', '`'.repeat(200_000)],
    ['runs of backticks of all lengths', Array.from({ length: 600 }, (_, i) => '`'.repeat(i + 1)).join(' ')],
    ['code without an end', '`a ``b '.repeat(30_000) + '```'],
    ['fences without an end', '```\n````\n'.repeat(20_000)],
    ['a fence that is none', `${'`'.repeat(100_000)}a\``],
    ['blank lines', `\`${'\n \n'.repeat(60_000)}\``],
    ['spaces', `\`a\n${' '.repeat(200_000)}b`],
  ])('takes linear time for %s', (_name, text) => {
    expect(textOf(parseShortText(text)).length).toBeLessThanOrEqual(text.length)
  })
})
