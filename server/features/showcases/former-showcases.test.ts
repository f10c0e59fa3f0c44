import { expect, test } from 'vitest'
import { migrate } from '#server/platform/db/migrate.ts'
import { createDatabaseBefore } from '#tests/support/database.ts'

test('a showcase that was removed before the columns existed keeps its values from the audit log', async () => {
  const database = await createDatabaseBefore('0043-former-showcases.sql')
  const { pool } = database
  const removal = (id: number, before: object) =>
    pool.query(
      `insert into audit_log (actor_id, action, subject_type, subject_id, before)
        values (1, 'unshowcase_script', 'script', $1, $2)`,
      [id, JSON.stringify(before)],
    )
  await pool.query(`
    insert into members (discord_id, username, slug) values ('1', 'user', 'user');
    insert into scripts (author_id, title, title_key, description, file_size)
      select 1, 'Script', 'script', 'Text.', 1 from generate_series(1, 2);
    insert into script_versions (script_id, number, version, content, sha256, size)
      select id, 1, '1', '1', repeat('0', 64), 1 from scripts;
    update scripts set showcase_date = '2026-03-01Z' where id = 2;
  `)
  const former = { showcase_date: '2026-01-02T00:00:00.000Z', showcase_video_url: null, showcase_notes: 'Second' }
  await removal(1, { ...former, showcase_notes: 'First' })
  await removal(1, former)
  // Removing a script that isn't showcased leaves an entry without values.
  await removal(1, { showcase_date: null, showcase_video_url: null, showcase_notes: null })
  await removal(2, former)
  await migrate(pool)
  const columns = ['former_showcase_date', 'former_showcase_video_url', 'former_showcase_notes']
  const { rows } = await pool.query({ text: `select ${columns.join()} from scripts order by id`, rowMode: 'array' })
  expect(rows).toEqual([
    [new Date('2026-01-02T00:00:00.000Z'), null, 'Second'],
    [null, null, null],
  ])
  await database.drop()
})
