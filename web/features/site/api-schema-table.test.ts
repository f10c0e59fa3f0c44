import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { InlineCode } from './api-schema-table.tsx'

test.each([
  ['plain', 'plain'],
  ['`all`', '<code>all</code>'],
  ['After `a=<b>`: told, by `c`', 'After <code>a=&lt;b&gt;</code>: told, by <code>c</code>'],
])('%s', (text, html) => {
  expect(renderToStaticMarkup(createElement(InlineCode, { text }))).toBe(html)
})
