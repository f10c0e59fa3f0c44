import { expect, test } from 'vitest'
import { indexRow } from '#tests/support/index-rows.ts'
import { readCompletion } from '#server/features/catalogue/query.ts'
import { IndexQueries } from './index-queries.ts'
import { MemoryIndex } from './memory-index.ts'

const TITLE = 0
const AUTHOR = 2
const SCRIPTS = 1200

/** Each has a word of its own in the title and one in its author's name; those of higher ids are downloaded more. */
const rowOf = (id: number, title = `title${id}`, author = `auth${id}`) =>
  indexRow(
    id,
    new Map([
      [title, TITLE],
      [author, AUTHOR],
    ]),
    { downloads: id },
  )

test('what very many words that begin alike stand for is kept, and follows every change', () => {
  const index = new MemoryIndex()
  index.postings.span = SCRIPTS
  for (let id = 1; id <= SCRIPTS; id++) index.put(rowOf(id))
  const queries = new IndexQueries(index)
  const first = () => {
    const { titles, byAuthors } = queries.complete(readCompletion('au'))
    return [titles[0], byAuthors[0]]
  }
  expect(first()).toEqual([undefined, SCRIPTS])
  expect(queries.complete(readCompletion('ti')).titles[0]).toBe(SCRIPTS)

  index.put(rowOf(SCRIPTS, 'other', 'name'))
  expect(first()).toEqual([undefined, SCRIPTS - 1])
  expect(queries.complete(readCompletion('ti')).titles[0]).toBe(SCRIPTS - 1)

  index.put(rowOf(SCRIPTS, 'autumn', 'name'))
  expect(first()).toEqual([SCRIPTS, SCRIPTS - 1])
  index.remove(SCRIPTS)
  index.put(rowOf(7, 'automatic'))
  expect(first()).toEqual([7, SCRIPTS - 1])
  index.remove(SCRIPTS - 1)
  index.remove(7)
  expect(first()).toEqual([undefined, SCRIPTS - 2])
})
