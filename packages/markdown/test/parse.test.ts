import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MarkdownNode, parseMarkdown } from '../src/index.ts'

const TAGS = 'p h3 h4 h5 h6 ul ol li blockquote pre hr strong em s code a mark'.split(' ')

function elementsOf(nodes: readonly MarkdownNode[]): Exclude<MarkdownNode, string>[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...elementsOf(node[1])]))
}

const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node[1]))).join('')

describe('Markdown', () => {
  test.each<[string, MarkdownNode[]]>([
    [
      '# One\n## Two\n### Three\n#### Four',
      [
        ['h3', ['One']],
        ['h4', ['Two']],
        ['h5', ['Three']],
        ['h6', ['Four']],
      ],
    ],
    [
      '### a\n###### b\n# c',
      [
        ['h3', ['a']],
        ['h4', ['b']],
        ['h3', ['c']],
      ],
    ],
    ['**a** _b_ ~~c~~ `d`', [['p', [['strong', ['a']], ' ', ['em', ['b']], ' ', ['s', ['c']], ' ', ['code', ['d']]]]]],
    [
      '- a\n- b\n  1. c',
      [
        [
          'ul',
          [
            ['li', ['a']],
            ['li', ['b', ['ol', [['li', ['c']]], '1']]],
          ],
        ],
      ],
    ],
    [
      '3. a\n4. b',
      [
        [
          'ol',
          [
            ['li', ['a']],
            ['li', ['b']],
          ],
          '3',
        ],
      ],
    ],
    ['> a\n> b', [['blockquote', [['p', ['a', '\n', 'b']]]]]],
    ['```luau\nprint(1)\n```', [['pre', ['print(1)'], 'luau']]],
    [
      'a\n\n---\n\nb',
      [
        ['p', ['a']],
        ['hr', []],
        ['p', ['b']],
      ],
    ],
    ['[a](https://example.com/x)', [['p', [['a', ['a'], 'https://example.com/x']]]]],
    ['<https://example.com/x>', [['p', [['a', ['https://example.com/x'], 'https://example.com/x']]]]],
    [
      '**see https://example.com/_a_b.**',
      [['p', [['strong', ['see ', ['a', ['https://example.com/_a_b'], 'https://example.com/_a_b'], '.']]]]],
    ],
    ['\\*a\\* &amp; b', [['p', ['*a* & b']]]],
  ])('turns %j into elements', (text, nodes) => {
    expect(parseMarkdown(text)).toEqual(nodes)
  })

  test.each([
    '  An elevator.\n\n\n   Put it into Workspace,  then play.\n\tIndented',
    'snake_case_name, 5 * 3 * 2, #1, C:\\new, <b>, a|b',
    'Title\n-----x\n=====',
    '    four spaces',
    '[name]: https://example.com/',
    '| a | b |\n|---|---|',
    '<script>alert(1)</script>\n<img src=x onerror=alert(1)>',
  ])('leaves text without markup as it is: %j', (text) => {
    const nodes = parseMarkdown(text)
    expect(nodes).toHaveLength(1)
    expect(textOf(nodes)).toBe(text)
  })

  test.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a](&#106;avascript:alert(1))',
    '[a](vbscript:x)',
    '[a](ftp://example.com)',
    '[a](//example.com)',
    '[a](/admin)',
    '[a](https://user:secret@example.com/)',
    '<javascript:alert(1)>',
    '<mailto:a@example.com>',
    '![a](javascript:alert(1))',
    '![a](data:image/svg+xml,x)',
  ])('does not link %s', (text) => {
    expect(elementsOf(parseMarkdown(text)).filter(([tag]) => tag === 'a')).toEqual([])
  })

  test('turns images into links, so that reading sends no request to another site', () => {
    const link: MarkdownNode = ['a', ['Door'], 'https://example.com/door.png']
    expect(parseMarkdown('![Door](https://example.com/door.png)')).toEqual([['p', [link]]])
  })

  test.each([
    ['[![a](https://i.example/a.png)](https://d.example)', ['a']],
    ['[**![a](https://i.example/a.png)** b](https://d.example)', [['strong', ['a']], ' b']],
    ['[a <https://d.example/b> c](https://d.example)', ['a ', 'https://d.example/b', ' c']],
    ['[![a *b* &amp; `c`](https://i.example/a.png)](https://d.example)', ['a b & c']],
    ['[![![a](https://j.example)](https://i.example/a.png)](https://d.example)', ['a']],
    ['[![](https://d.example/a.png)](https://d.example)', ['https://d.example/a.png']],
    ['[![](ftp://i.example)](https://d.example)', ['https://d.example/']],
    ['[](https://d.example)', ['https://d.example/']],
    ['[&#8203; ](https://d.example)', ['https://d.example/']],
  ] as [string, MarkdownNode[]][])('makes one link with a text of %s', (text, children) => {
    expect(parseMarkdown(text)).toEqual([['p', [['a', children, 'https://d.example/']]]])
  })

  test('links an image inside of a link that leads nowhere', () => {
    const link: MarkdownNode = ['a', ['b'], 'https://i.example/b']
    expect(parseMarkdown('[a ![b](https://i.example/b)](ftp://d.example)')).toEqual([['p', ['a ', link]]])
  })

  test.each([
    'https://good.example',
    '**https://good.example**',
    'https://good**.example**',
    '*https*://good.ex~~amp~~le/a',
    '`https://good.example`',
    '![https://good.example](https://i.example)',
    '![good.example](https://i.example) x',
    '![](https://good.example/a.png)',
    'good.example',
    'good.exa**mple**',
    'www.good.example',
    'WWW.GOOD.EXAMPLE',
    'HTTPS://GOOD.EXAMPLE',
    'http:\\/\\/good.example',
    'go to good.example now',
    'good&period;example',
    'good&#46;example',
    'https&colon;//good.example',
    'good.exa\u200bmple',
    'goo\u00add.example',
    'good.\ufe0fexample',
    'good.\u2060ex\u034fample',
    'good。example',
    'good．example',
    'good｡example',
    'good․example',
    'https：／／good．example',
    'ｇｏｏｄ.example',
    'gооd.example',
    'xn--80aaa.example',
    'пример.рф',
    '例子。中国',
    'https://good.example@evil.example',
    'https://good.example:443@evil.example/',
    'good.example@evil.example',
    'me@good.example',
    'https://localhost',
    'http://127.0.0.1/',
    '127.0.0.1',
    'ftp://good',
    'evil.example.good.example',
    'good.evil.example',
    'evil.example, good.example',
    '“good.example”',
    '(good.example)',
    '…good.example',
  ])('names the host of a link with the text %s, which is another', (label) => {
    for (const text of [`[${label}](https://evil.example)`, `- [a ${label} b](https://evil.example/x)`]) {
      const link = elementsOf(parseMarkdown(text)).find(([tag]) => tag === 'a')
      expect(textOf(link ? [link] : [])).toMatch(/ \(evil\.example\)$/)
    }
  })

  test.each([
    '**https://evil.example**',
    'https://evil.example/a, https://www.evil.example.',
    'Evil.Example',
    'evil.example:8080',
    'www.evil.example',
    'evil。example',
    '(https://evil.example)',
    'the docs',
    'version 1.2.3',
    'e.g. this. And that',
    'main.lua',
    'https://EVIL.example/?a=b',
    'a:b',
  ])('does not name the host of a link with the text %s', (label) => {
    const link = elementsOf(parseMarkdown(`[${label}](https://evil.example)`)).find(([tag]) => tag === 'a')
    expect(textOf(link ? [link] : [])).not.toContain('(evil.example)')
  })

  test('names the host of an image whose text is the URL of another site, and compares hosts in one form', () => {
    expect(textOf(parseMarkdown('![https://good.example](https://evil.example/a.png)'))).toMatch(/ \(evil\.example\)$/)
    expect(textOf(parseMarkdown('[пример.рф](https://xn--e1afmkfd.xn--p1ai)'))).toBe('пример.рф')
    expect(textOf(parseMarkdown('[good.example](https://good.example:8443/)'))).toBe('good.example')
  })

  test('removes text-direction characters from text and shows them in code', () => {
    expect(parseMarkdown('a\u202eb')).toEqual([['p', ['ab']]])
    expect(parseMarkdown('**a\u2066b** `a\u202eb`')).toEqual([
      ['p', [['strong', ['ab']], ' ', ['code', ['a', ['mark', ['U+202E']], 'b']]]],
    ])
    const fence = '```lua\na\u202eb\n```'
    expect(parseMarkdown(fence)).toEqual([['pre', ['a', ['mark', ['U+202E']], 'b'], 'lua']])
    expect(parseMarkdown(fence, { hasRawFences: true })).toEqual([['pre', ['a\u202eb'], 'lua']])
  })

  test.each([
    ['ten thousand levels of quotes', '>'.repeat(10_000)],
    ['ten thousand levels of lists', `${'- '.repeat(5000)}a`],
    ['lists inside lists', Array.from({ length: 100 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n')],
    ['unbalanced brackets', '!['.repeat(5000)],
    ['a million links', '[a](https://b.c)'.repeat(1_000_000)],
  ])('shows %s as plain text', (_name, text) => {
    const nodes = parseMarkdown(text)
    expect(elementsOf(nodes).some(([tag]) => tag === 'ul' || tag === 'blockquote')).toBe(false)
    expect(textOf(nodes)).toBe(text)
  })

  test.each(['https://', '*a **b ', '`a', '[a](', '&#', '~~a ', '<', '\\', '- a\n', '1)\n', 'a**b'])(
    'parses thousands of %j',
    (piece) => {
      const nodes = parseMarkdown(piece.repeat(5000 / piece.length))
      expect(elementsOf(nodes).length).toBeLessThan(5000)
    },
  )

  test('yields only known elements, with http(s) URLs, whatever the text', () => {
    const pieces = [
      '*',
      '_',
      '`',
      '```',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '!',
      '#',
      ' ',
      '\n',
      '- ',
      '1. ',
      '\\',
      '~~',
      '&lt;',
      'a',
    ]
    const urls = ['https://', 'http://a.b', 'javascript:', 'data:', '\u202e', '"', "'", ':', '/', '\0', '😀']
    const text = fc.array(fc.constantFrom(...pieces, ...urls), { maxLength: 60 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (markdown) => {
        for (const [tag, , value] of elementsOf(parseMarkdown(markdown))) {
          expect(TAGS).toContain(tag)
          expect(tag !== 'a' || /^https?:\/\//.test(value ?? '')).toBe(true)
        }
      }),
    )
  })
})
