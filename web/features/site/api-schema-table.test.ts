import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { descriptionOf, InlineCode } from './api-schema-table.tsx'

test.each([
  ['plain', 'plain'],
  ['`all`', '<code>all</code>'],
  ['After `a=<b>`: sorted, by `c`', 'After <code>a=&lt;b&gt;</code>: sorted, by <code>c</code>'],
])('renders the inline code of %j', (text, html) => {
  expect(renderToStaticMarkup(createElement(InlineCode, { text }))).toBe(html)
})

test.each([
  [{ minimum: 1, maximum: 100, default: 20 }, false, 'Optional, 1 to 100, default 20'],
  [{ minimum: 1, maximum: 2_147_483_647, description: "The author's id" }, true, "At least 1. The author's id"],
  [{ maxLength: 200, description: 'Words' }, false, 'Optional, at most 200 characters. Words'],
  [{ maximum: 5 }, true, 'At most 5'],
  [{}, true, ''],
])('describes %j', (schema, isRequired, text) => {
  expect(descriptionOf({ schema, isRequired })).toBe(text)
})
