import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { hashTables } from '#tests/support/scripts.ts'
import { cleanTexts } from './clean-texts.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

async function clean(): Promise<string[]> {
  const sentences: string[] = []
  await cleanTexts(site.db, (sentence) => sentences.push(sentence))
  return sentences
}

const tagsOf = async (script: number) =>
  (
    await sql<{ name: string }>`select t.name from script_tags x join tags t on t.id = x.tag_id
      where x.script_id = ${script} order by x.position`.execute(site.db)
  ).rows.map(({ name }) => name)

/** As an earlier version stored them. */
async function setTags(script: number, names: string[]): Promise<void> {
  await sql`insert into tags (name, color) select unnest(${names}::text[]), '#123456' on conflict do nothing`.execute(
    site.db,
  )
  await sql`delete from script_tags where script_id = ${script}`.execute(site.db)
  await sql`insert into script_tags select ${script}, t.id, n.position
    from unnest(${names}::text[]) with ordinality n (name, position) join tags t on t.name = n.name`.execute(site.db)
}

const documentOf = async (script: number) =>
  (await sql<{ document: string }>`select document from script_search where script_id = ${script}`.execute(site.db))
    .rows[0]?.document

test('twins among the tags become one, with their scripts, their places and what searches find', async () => {
  const [one, other, third] = [await makeScript(site.db), await makeScript(site.db), await makeScript(site.db)]
  await setTags(one, ['first', 'es\u200Bp', 'esp', 'last'])
  await setTags(other, ['ｅｓｐ', '\u200B'])
  await setTags(third, ['esp', 'x，y', 'ﷺ'.repeat(3)])
  const sentences = await clean()
  expect(await tagsOf(one)).toEqual(['first', 'esp', 'last'])
  expect(await tagsOf(other)).toEqual(['esp'])
  expect(await tagsOf(third)).toEqual(['esp', 'x y', expect.stringMatching(/^.{1,30}$/u)])
  expect(sentences).toContain(String.raw`Tag "es\u{200b}p" of 1 script is now "esp".`)
  expect(sentences).toContain(String.raw`Tag "\u{200b}" of 1 script was removed.`)
  expect(await documentOf(one)).toContain(`'esp':2B`)
  expect(await documentOf(one)).not.toMatch(/'(es|p)'/)
  const names = (await site.db.selectFrom('tags').select('name').execute()).map(({ name }) => name)
  expect(names.filter((name) => name.normalize('NFKC').replaceAll('\u200B', '') === 'esp')).toEqual(['esp'])
  const listed = (await site.app.inject('/api/scripts?tags=es%E2%80%8Bp')).json<{ pagination: { total: number } }>()
  expect(listed.pagination.total).toBe(3)
})

test('titles, names and texts of earlier versions are cleaned, with what is made from them', async () => {
  const author = await makeMember(site.db, {
    display_name: 'A\u202Eda\u200B',
    bio: 'a\u202Eb\nc',
    location: 'Graz\u200B',
  })
  const script = await makeScript(site.db, {
    author_id: author,
    title: 'Fly\u200Bing\u202E Door 👨‍👩‍👧',
    description: 'a\u2028b',
  })
  await sql`update script_versions set changelog = 'x\u2028y' where script_id = ${script}`.execute(site.db)
  const blank = await makeScript(site.db, { title: '\u200B' })
  const { rows: before } = await site.pool.query('select updated_at from scripts where id = $1', [script])
  const sentences = await clean()
  const { rows } = await site.pool.query(
    `select s.title, s.title_key, s.description, s.updated_at, v.changelog, m.display_name, m.bio, m.location
     from scripts s join script_versions v on v.script_id = s.id join members m on m.id = s.author_id where s.id = $1`,
    [script],
  )
  expect(rows).toEqual([
    {
      ...before[0],
      title: 'Flying Door 👨‍👩‍👧',
      title_key: 'flying door 👨‍👩‍👧',
      description: 'a\nb',
      changelog: 'x\ny',
      display_name: 'Ada',
      bio: 'ab\nc',
      location: 'Graz',
    },
  ])
  expect(await documentOf(script)).toMatch(/'ada':3C.*'flying':1A|'flying':1A.*'ada':3C/)
  expect(sentences).toContain(`Cleaned scripts ${script}: title, description.`)
  expect(sentences).toContain(`Cleaned members ${author}: display_name, location, bio.`)
  expect(sentences).toContain(`Cleaned script_versions number 1, script_id ${script}: changelog.`)
  // Nothing would be left of it.
  expect((await site.pool.query('select title from scripts where id = $1', [blank])).rows).toEqual([
    { title: '\u200B' },
  ])
})

test('cleaning again changes nothing', async () => {
  await clean()
  const before = await hashTables(site.db)
  expect(await clean()).toEqual([])
  expect(await hashTables(site.db)).toEqual(before)
})
