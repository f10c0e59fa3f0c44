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

/** Words that occur in the names of columns with images. */
const IMAGE_WORDS = /^(image|images|picture|photo|avatar|banner|thumbnail|cover|icon|logo|media|screenshot|poster)$/
/** Columns whose names match, but which hold the name of a file at Discord or the image itself. */
const OTHER_COLUMNS = new Set(['members.avatar', 'branding.logo'])

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

const isImageColumn = ({ name }: Column) => {
  const [, column = ''] = name.split('.')
  return column.split('_').some((word) => IMAGE_WORDS.test(word)) && !OTHER_COLUMNS.has(name)
}

describe('every image column', () => {
  test('references media, so that the sweep considers it', async () => {
    const columns = (await listColumns()).filter(isImageColumn)
    expect(columns.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['members.banner_image', 'members.profile_image', 'scripts.image']),
    )
    expect(columns.filter(({ isReference }) => !isReference)).toEqual([])
  })

  test('has an index and a foreign key that is checked immediately and prevents deletion', async () => {
    const columns = (await listColumns()).filter(({ isReference }) => isReference)
    expect(columns.length).toBeGreaterThan(2)
    expect(columns.filter(({ isChecked, isIndexed }) => !isChecked || !isIndexed)).toEqual([])
  })
})

test('the sweep detects uses in tables that were added later', async () => {
  await sql`create table "Posters" (id integer primary key, "the Image" text references media (hash))`.execute(site.db)
  const hash = await storeImage(site.db, site.media, await uniquePng(), null)
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
