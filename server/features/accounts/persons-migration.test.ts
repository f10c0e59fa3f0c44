import { expect, test } from 'vitest'
import { migrate } from '#server/platform/db/migrate.ts'
import { createDatabaseBefore } from '#tests/support/database.ts'

test('a database from before persons gets a person for each member and each stored mute', async () => {
  const database = await createDatabaseBefore('0030-persons.sql')
  const { pool } = database
  await pool.query(`
    insert into members (discord_id, username, slug)
      select i::text, 'user' || i, 'user' || i from generate_series(1, 3) i;
    delete from members where id = 1;
    insert into scripts (author_id, title, title_key, description, file_size)
      select 2, 'Script', 'script', 'Text.', 1 from generate_series(1, 2);
    insert into script_versions (script_id, number, version, content, sha256, size)
      select id, 1, '1', '1', repeat('0', 64), 1 from scripts;
    insert into ratings (script_id, member_id, rating) values (1, 3, 5), (2, 3, 4), (1, null, 1), (1, null, 1);
    insert into reputation_ledger (giver_id, receiver_id, kind, points) values (3, 2, 'gift', 1);
    insert into sanctions (member_id, kind, reason, ends_at) values (3, 'mute', 'Shouting', 'infinity');
    insert into kept_mutes values (decode(repeat('ab', 32), 'hex'), 'infinity'), (decode(repeat('cd', 32), 'hex'), now());
  `)
  await migrate(pool)

  const read = async (query: string) => (await pool.query({ text: query, rowMode: 'array' })).rows
  expect(await read('select id, member_id, discord_hash is null from persons order by id')).toEqual([
    [2, 2, true],
    [3, 3, true],
    [4, null, false],
  ])
  expect(await read('select script_id, member_id, person_id from ratings order by id')).toEqual([
    [1, 3, 3],
    [2, 3, 3],
    [1, null, null],
    [1, null, null],
  ])
  expect(await read('select giver_person_id, receiver_person_id from reputation_ledger')).toEqual([[3, 2]])
  expect(await read('select member_id, person_id, ends_at::text from sanctions order by id')).toEqual([
    [3, 3, 'infinity'],
    [null, 4, 'infinity'],
  ])
  await pool.query(`insert into members (discord_id, username, slug) values ('5', 'user5', 'user5')`)
  expect(await read('select p.id from persons p join members m on m.id = p.member_id where slug = $$user5$$')).toEqual([
    [5],
  ])

  await database.drop()
})
