import { findLinks } from '@scriptyard/markdown'
import { parseShortText } from '@scriptyard/markdown/short-text'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { markdownToHtml } from '#server/features/feeds/markdown-html.ts'
import { findHtmlFaults } from '#tests/support/stable-html.ts'
import { formatMarkdown } from './render-markdown.ts'
import { RichText } from './rich-text.tsx'

const LINKED_IMAGE = '[![a](https://i.example/a.png)](https://d.example)'
const PIECES = [
  '[',
  ']',
  '(',
  ')',
  '](https://a.example)',
  '![',
  '[![',
  '<https://b.example>',
  'https://c.example/',
  'good.example',
  '*',
  '**',
  '_',
  '~~',
  '`',
  '```',
  '```lua\n',
  '\n',
  '\n\n',
  '# ',
  '> ',
  '- ',
  '1. ',
  '7) ',
  '  ',
  '    ',
  '---',
  '<p>',
  '</a>',
  '<b',
  '&lt;',
  '&amp',
  '&#0;',
  '"',
  "'",
  '\\',
  '\r',
  '\t',
  '\0',
  '\f',
  '\u00a0',
  '\u202e',
  '中，',
  'a ',
  LINKED_IMAGE,
]
const markdown = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''))

const count = (html: string) => html.split('<a ').length - 1

test('browsers read the HTML of Markdown on pages as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(markdown, async (text) => {
      const { nodes, excerpt } = await formatMarkdown(text)
      for (const shown of [nodes, excerpt ?? []]) {
        expect(findHtmlFaults(renderToStaticMarkup(createElement(RichText, { nodes: shown })))).toEqual([])
      }
    }),
    { numRuns: 500, examples: [[LINKED_IMAGE], [`- ${LINKED_IMAGE}\n\n  ${LINKED_IMAGE}`]] },
  )
})

test('browsers read the HTML of short texts as it was written, and it has no elements but code and links', () => {
  const texts = [
    '`<img src=x onerror=alert(1)>`',
    '```"><script>\n</code></pre><script>alert(1)</script>\n```',
    '[a](javascript:alert(1)) https://a.example/"onmouseover="alert(1)',
  ]
  fc.assert(
    fc.property(fc.oneof(markdown, fc.constantFrom(...texts)), (text) => {
      const html = renderToStaticMarkup(createElement(RichText, { nodes: parseShortText(text) }))
      expect(findHtmlFaults(html)).toEqual([])
      const tags = [...html.matchAll(/<(?!\/)([^>]*)>/g)]
        .slice(1)
        .map(([, tag = '']) => tag.replace(/="https?:[^"]*"/, ''))
      const link = 'a href target="_blank" rel="noopener noreferrer nofollow ugc"'
      expect(tags.filter((tag) => !['p', 'pre', 'code', 'mark', link].includes(tag))).toEqual([])
    }),
    { numRuns: 500, examples: texts.map((text): [string] => [text]) },
  )
})

test('browsers read the HTML of Markdown in feeds as it was written', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      expect(findHtmlFaults(markdownToHtml(text))).toEqual([])
    }),
    { numRuns: 500, examples: [[LINKED_IMAGE]] },
  )
  expect(count(markdownToHtml(LINKED_IMAGE))).toBe(1)
  expect(findLinks(LINKED_IMAGE)).toHaveLength(5)
})
