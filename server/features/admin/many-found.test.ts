import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPortal, type Portal } from '#tests/support/portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
  const { pool } = portal
  // The first rows of each sort do not match, because members without an address come first.
  await pool.query(`insert into members (discord_id, username, slug, email, reputation, created_at, last_seen_at,
      muted_until)
    select 9000000 + n, case when n <= 1500 then 'a' else 'm' end || (n * 7919) % 20011, 's' || n,
      case when n > 1500 then 'm' || n || '@many.example' end, (n * 31) % 977,
      timestamptz '2026-01-01' + (n * 104729) % 15000 * interval '1 minute',
      case when n % 5 > 0 then timestamptz '2026-02-01' + (n * 271) % 9000 * interval '1 minute' end,
      case when n > 1500 and n % 50 > 0 then timestamptz 'infinity' end
    from generate_series(1, 12000) n`)
  // One query, so that it is one transaction: a script and its version reference each other.
  await pool.query(`insert into scripts (author_id, title, title_key, description, file_size, created_at, is_featured)
      select (select min(id) from members), 'T' || n, 't' || n, 'D', 1,
        timestamptz '2026-01-01' + (n * 104729) % 15000 * interval '1 minute', n % 3 = 0 from generate_series(1, 12000) n;
    insert into script_versions (script_id, number, version, content, sha256, size)
      select id, 1, '1', 'x', repeat('0', 64), 1 from scripts;
    insert into script_stats (script_id) select id from scripts;
    insert into script_search (script_id, document) select id,
      (case when id % 12 = 0 then $$'other':1A$$ else $$'same$$ || id % 700 || $$':1A$$ end)::tsvector from scripts`)
})
afterAll(() => portal.close())

interface List {
  users?: { id: number }[]
  scripts?: { id: number }[]
  pagination: { total: number; is_exact: boolean }
}

async function read(address: string) {
  const { users = [], scripts = [], pagination } = (await portal.get<List>(address)).body
  const { total, is_exact } = pagination
  return { total, is_exact, ids: [...users, ...scripts].map(({ id }) => id) }
}

async function expectedPage(rows: string) {
  const found = await portal.pool.query<{ id: number }>(rows)
  return { total: 10_001, is_exact: false, ids: found.rows.map(({ id }) => id) }
}

describe('of more members than the counting limit', () => {
  const keys = {
    created_at: 'created_at',
    last_seen_at: 'last_seen_at',
    username: 'lower(username)',
    reputation: 'reputation',
  }
  const cases = Object.entries(keys).flatMap(([sort, key]) =>
    ['asc', 'desc'].flatMap((order) => [1, 7, 500].map((page) => ({ sort, key, order, page }))),
  )
  test.each(cases)(
    'page $page by $sort, $order equals a slice of the sorted list',
    async ({ sort, key, order, page }) => {
      const nulls = order === 'asc' ? 'nulls first' : 'nulls last'
      const found = await read(
        `/api/admin-keys?type=users&search=.example&sort=${sort}&order=${order}&page=${page}&limit=20`,
      )
      const expected = await expectedPage(
        `select id from members where email like '%.example' order by ${key} ${order} ${nulls}, id ${order}
        limit 20 offset ${(page - 1) * 20}`,
      )
      expect(expected.ids).toHaveLength(20)
      expect(found).toEqual(expected)
    },
  )

  test('returns only those of one status', async () => {
    const muted = await read('/api/admin-keys?type=users&search=many&status=muted&limit=20')
    const expected = await expectedPage(
      'select id from members where muted_until is not null order by created_at desc, id desc limit 20',
    )
    expect(muted).toEqual(expected)
    expect(await read('/api/admin-keys?type=users&search=many&status=active')).toMatchObject({
      total: 210,
      is_exact: true,
    })
  })
})

describe('of more scripts than the counting limit', () => {
  test.each([1, 4, 300, 1000])('page %i equals a slice of the sorted list', async (page) => {
    const found = await read(`/api/admin-scripts?search=same&page=${page}&limit=10`)
    const expected = await expectedPage(
      `select id from scripts where id % 12 > 0 order by created_at desc, id desc limit 10 offset ${(page - 1) * 10}`,
    )
    expect(found).toEqual(expected)
  })

  test('counts those of one status alone', async () => {
    const { rows } = await portal.pool.query('select id from scripts where id % 12 > 0 and is_featured')
    const found = await read('/api/admin-scripts?search=same&status=featured')
    expect(found).toMatchObject({ total: rows.length, is_exact: true })
  })
})
