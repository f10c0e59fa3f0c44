import { expect, test } from 'vitest'
import { indexRow } from '#tests/support/index-rows.ts'
import { Loader } from './loader.ts'

test('more tags than a first script may expect, and more words than most have', () => {
  const loader = new Loader(70, () => {})
  for (let id = 1; id <= 9000; id++) loader.index.labels.addTag({ id, name: `tag${id}`, color: '#000000' })
  const words = new Map(Array.from({ length: 200 }, (_, at) => [`word${at}`, at % 4]))
  for (let id = 1; id <= 70; id++) loader.take(indexRow(id, words, { author: id, tags: [9000 - id] }))
  const { labels, postings, vocabulary, size } = loader.finish()
  expect(size).toBe(70)
  for (const id of [1, 33, 70]) {
    expect([...(postings.set(labels.tag(9000 - id)?.term ?? 0).list ?? [])]).toEqual([id])
    expect([...(postings.set(labels.author(id) ?? 0).list ?? [])]).toEqual([id])
  }
  const word = vocabulary.find('word199') ?? -1
  expect(postings.count(vocabulary.termAt(word, 3))).toBe(70)
})
