import { expect, test } from 'vitest'
import { bbcodeLink, markdownLink } from './share-links.ts'

const URL = 'https://example.com/scripts/a-1'

test('links in Markdown escape what the title would format', () => {
  expect(markdownLink('Snake', URL)).toBe(`[Snake](${URL})`)
  expect(markdownLink('[x] *z* a_b', URL)).toBe('[\\[x\\] \\*z\\* a\\_b](https://example.com/scripts/a-1)')
})

test('links in BBCode have no brackets in the title', () => {
  expect(bbcodeLink('Snake [beta]', URL)).toBe(`[url=${URL}]Snake (beta)[/url]`)
})
