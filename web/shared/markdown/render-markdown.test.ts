import { expect, test } from 'vitest'
import { formatMarkdown, renderMarkdown } from './render-markdown.ts'

test('Luau blocks are highlighted, other code is not', async () => {
  expect(await renderMarkdown('```luau\nlocal a = 1\nlocal b = 2\n```\n```json\n[1]\n```')).toEqual([
    ['pre', [['code', expect.arrayContaining([['span', ['2'], 'constant']])]]],
    ['pre', [['code', ['[1]']]]],
  ])
})

test('text-direction characters in code are shown as code points', async () => {
  const [block] = await renderMarkdown('```luau\n-- \u202e\n```')
  expect(JSON.stringify(block)).toContain('["mark",["U+202E"]]')
})

test('a long text has an excerpt without markup in which links work', async () => {
  const { nodes, excerpt, description } = await formatMarkdown(`**Bold** https://example.com/ ${'word '.repeat(100)}`)
  expect(nodes[0]?.[1]).toContainEqual(['strong', ['Bold']])
  const [paragraph] = excerpt ?? []
  expect(paragraph?.[1]).toEqual([
    'Bold ',
    ['a', ['https://example.com/'], 'https://example.com/'],
    expect.stringMatching(/^ (word )+/),
    '…',
  ])
  expect(description).toHaveLength(160)
})

test('a short text has no excerpt', async () => {
  expect(await formatMarkdown('- one\n- two')).toMatchObject({ excerpt: null, description: '• one • two' })
})
