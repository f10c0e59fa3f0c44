import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openPool } from '#server/db/pool.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeScript } from '#tests/support/makers.ts'
import { makeAuthors, plant, randomScript } from '#tests/support/random-catalogue.ts'
import { buildIndex } from './build.ts'
import { MemoryIndex } from './memory-index.ts'
import { KEPT_SORTS } from './orders.ts'
import { readRows } from './read-rows.ts'

const never = new AbortController().signal

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  const authors = await makeAuthors(site.db)
  for (const given of fc.sample(randomScript, 60)) await plant(site.db, authors, given)
  const bare = await makeScript(site.db, { title: 'without words' })
  await site.db.deleteFrom('script_search').where('script_id', '=', bare).execute()
})
afterAll(() => site.close())

const inThread = () => ({ ...site, mostAtOnce: 0 })

async function picture(index: MemoryIndex) {
  const sections = await index.save()
  return sections.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('hex')])
}

/** What each script is found by, and every order. */
function meaning(index: MemoryIndex) {
  const { labels, postings, records, vocabulary, orders } = index
  const names = new Map<number, string>()
  for (const tag of labels.tags) names.set(tag.term, `tag ${tag.name}`)
  for (const [number, word] of vocabulary.words.entries()) {
    for (let place = 0; place < 4; place++) names.set(vocabulary.termAt(number, place), `word ${word} in ${place}`)
  }
  const scripts = [...orders.created_at.toArray()].map((id) => {
    const terms = labels.plain.filter((term) => postings.has(term, id)).map((term) => `plain ${term}`)
    records.eachTerm(id, (term) => {
      expect(postings.has(term, id)).toBe(true)
      if (names.has(term)) terms.push(names.get(term) ?? '')
    })
    return { id, title: Buffer.from(records.title(id)).toString(), terms: terms.toSorted() }
  })
  return {
    scripts,
    words: [...vocabulary.order.toArray()].map((number) => vocabulary.words[number]),
    orders: KEPT_SORTS.map((sort) => [...orders[sort].toArray()]),
    counts: [...names].map(([term, name]) => `${name}: ${postings.count(term)}`).toSorted(),
  }
}

test('an index from a thread is the index that is made at once', async () => {
  const [made, handedOver] = [await buildIndex(site, never), await buildIndex(inThread(), never)]
  expect(made.size).toBeGreaterThan(30)
  expect(await picture(handedOver)).toEqual(await picture(made))
})

test('loading all scripts is putting one after the other', async () => {
  const loaded = await buildIndex(site, never)
  const put = new MemoryIndex()
  const ids = [...loaded.orders.created_at.toArray()].toSorted((a, b) => a - b)
  for (const row of await readRows(site.db, put.labels, ids)) put.put(row)
  for (const tag of loaded.labels.tags) put.labels.addTag(tag)
  expect(meaning(loaded)).toEqual(meaning(put))
})

test('an empty catalogue has an index, too', async () => {
  const empty = await createTestApp()
  expect((await buildIndex(empty, never)).size).toBe(0)
  expect((await buildIndex({ ...empty, mostAtOnce: -1 }, never)).size).toBe(0)
  await empty.close()
})

test('who no longer needs it does not wait for it, and its connection ends', async () => {
  const connections = async () => {
    const { rows } = await site.pool.query<{ waiting: boolean }>(
      `select wait_event_type = 'Lock' as waiting from pg_stat_activity
       where datname = current_database() and application_name = 'scriptyard' and pid <> pg_backend_pid()`,
    )
    return rows
  }
  const holder = await site.pool.connect()
  await holder.query('begin')
  await holder.query('lock table tags')
  const given = new AbortController()
  const building = buildIndex(inThread(), given.signal)
  const told = building.catch((error: Error) => error.message)
  await vi.waitUntil(async () => (await connections()).some(({ waiting }) => waiting))
  given.abort()
  expect(await told).toMatch('aborted')
  await holder.query('rollback')
  holder.release()
  await vi.waitUntil(async () => (await connections()).length < site.pool.totalCount)
})

test.each([0, 1000])('a database that cannot be reached is told as an error (%i at once)', async (mostAtOnce) => {
  const pool = openPool({ ...site.database.connection, database: 'not_there' }, 1)
  await expect(buildIndex({ db: site.db, pool, mostAtOnce }, never)).rejects.toThrow('not_there')
  await pool.end()
})
