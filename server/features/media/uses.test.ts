import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { advanceHours, isStored } from '#tests/support/media.ts'
import { uniquePng } from '#tests/support/images.ts'
import { storeImage } from './upload.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

/** Words in the names of columns that hold images. */
const PICTURED = /^(image|images|picture|photo|avatar|banner|thumbnail|cover|icon|logo|media|screenshot|poster)$/
/** Pictured by their names, but Discord's: the name of a file there. */
const NOT_OURS = new Set(['members.avatar'])

interface Column {
  name: string
  isReference: boolean
  isChecked: boolean
  isIndexed: boolean
}

async function listColumns(): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select t.relname || '.' || a.attname as name, c.oid is not null as "isReference",
      c.oid is not null and not c.condeferrable and c.confdeltype in ('a', 'r') and c.convalidated as "isChecked",
      exists (select 1 from pg_index i where i.indrelid = t.oid and i.indkey[0] = a.attnum) as "isIndexed"
    from pg_attribute a
    join pg_class t on t.oid = a.attrelid and t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace
    left join pg_constraint c on c.conrelid = t.oid and c.contype = 'f' and c.confrelid = 'media'::regclass
      and c.conkey = array[a.attnum]
    where a.attnum > 0 and not a.attisdropped and t.relname <> 'media'
    order by 1`.execute(site.db)
  return rows
}

const isPictured = ({ name }: Column) => {
  const [, column = ''] = name.split('.')
  return column.split('_').some((word) => PICTURED.test(word)) && !NOT_OURS.has(name)
}

describe('every column that holds an image', () => {
  test('references media, so that the sweep knows it', async () => {
    const columns = (await listColumns()).filter(isPictured)
    expect(columns.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['members.banner_image', 'members.profile_image', 'scripts.image']),
    )
    expect(columns.filter(({ isReference }) => !isReference)).toEqual([])
  })

  test('is checked at once and forbids the removal, and finds its rows by an index', async () => {
    const columns = (await listColumns()).filter(({ isReference }) => isReference)
    expect(columns.length).toBeGreaterThan(2)
    expect(columns.filter(({ isChecked, isIndexed }) => !isChecked || !isIndexed)).toEqual([])
  })
})

test('a use in a table that came later is seen without a word about it', async () => {
  await sql`create table "Posters" (id integer primary key, "the Image" text references media (hash))`.execute(site.db)
  const hash = await storeImage(site.db, site.media, await uniquePng())
  await sql`insert into "Posters" values (1, ${hash})`.execute(site.db)
  await advanceHours(site, 1000)
  await site.sweep.run()
  expect(await isStored(site, hash)).toBe(true)
  await sql`drop table "Posters"`.execute(site.db)
  await site.sweep.run()
  await advanceHours(site, 25)
  await site.sweep.run()
  expect(await isStored(site, hash)).toBe(false)
})
