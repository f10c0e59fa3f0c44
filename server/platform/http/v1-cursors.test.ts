import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CommentPage } from '#contract/comments.ts'
import type { FavoriteList } from '#contract/favorites.ts'
import { FAVORITE_SORTS } from '#contract/limits.ts'
import type { ResultOf } from '#contract/operations.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeApiToken, makeMember, makeScript } from '#tests/support/factories.ts'

let site: TestApp
let memberId: number
let headers: object
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  memberId = await makeMember(site.db)
  headers = await makeApiToken(site.db, memberId, ['favorites:read', 'favorites:write', 'notifications:read'])
})

const get = async (path: string, cursor: string | null) => {
  const url = `/api/v1/${path}${cursor === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`}`
  return site.app.inject({ url, headers: { ...headers } })
}

async function readAll(
  readPage: (cursor: string | null) => Promise<{ ids: number[]; next_cursor: string | null }>,
  change: (found: readonly number[]) => Promise<void>,
): Promise<number[]> {
  const found: number[] = []
  let cursor: string | null = null
  do {
    if (found.length > 0) await change(found)
    const { ids, next_cursor } = await readPage(cursor)
    found.push(...ids)
    cursor = next_cursor
  } while (cursor !== null)
  return found
}

/** The ids that were found twice, and those that were there all the time and not found. */
const findFaults = (found: readonly number[], stayed: readonly number[]) => ({
  repeated: found.filter((id, index) => found.indexOf(id) !== index),
  missing: stayed.filter((id) => !found.includes(id)),
})
const NONE = { repeated: [], missing: [] }

describe('cursors while entries are added and removed:', () => {
  test.each(FAVORITE_SORTS)('favorites by %s', async (sort) => {
    const add = async (i: number) => {
      // Some sort keys are equal, so that the id decides.
      const script_id = await makeScript(site.db, {
        title: `T${i % 4}`,
        updated_at: new Date(1_700_000_000_000 + (i % 5) * 1000),
        stats: { three_star: i % 3, five_star: i % 2 },
      })
      const added_at = new Date(1_710_000_000_000 + (i % 6) * 1000)
      await site.db.insertInto('favorites').values({ member_id: memberId, script_id, added_at }).execute()
      return script_id
    }
    const ids: number[] = []
    for (let i = 0; i < 23; i++) ids.push(await add(i))
    const removed = new Set<number>()
    let next = 100
    const found = await readAll(
      async (cursor) => {
        const page = (await get(`favorites?sort=${sort}&limit=4`, cursor)).json<FavoriteList>()
        return { ids: page.favorites.map(({ script }) => script.id), ...page.pagination }
      },
      async (seen) => {
        await Promise.all([add(next++), add(next++)])
        // The last one of the page, by which the next page finds its start, and one of a later page.
        for (const id of [seen.at(-1), ids.find((each) => !seen.includes(each) && !removed.has(each))]) {
          if (id === undefined) continue
          removed.add(id)
          await site.db.deleteFrom('favorites').where('script_id', '=', id).execute()
        }
      },
    )
    const stayed = ids.filter((id) => !removed.has(id))
    expect(findFaults(found, stayed)).toEqual(NONE)
  })

  test('comments', async () => {
    const script_id = await makeScript(site.db)
    const add = async () => {
      const row = site.db.insertInto('comments').values({ script_id, author_id: memberId, text: 'Text.' })
      return (await row.returning('id').executeTakeFirstOrThrow()).id
    }
    const ids: number[] = []
    for (let i = 0; i < 65; i++) ids.push(await add())
    const removed = new Set<number>()
    const found = await readAll(
      async (cursor) => {
        const page = (await get(`scripts/${script_id}/comments`, cursor)).json<CommentPage>()
        return { ids: page.threads.map(({ id }) => id), ...page.pagination }
      },
      async (seen) => {
        await Promise.all([add(), add()])
        for (const id of [seen.at(-1), ids.find((each) => !seen.includes(each) && !removed.has(each))]) {
          if (id === undefined) continue
          removed.add(id)
          await site.db.deleteFrom('comments').where('id', '=', id).execute()
        }
      },
    )
    const stayed = ids.filter((id) => !removed.has(id))
    expect(findFaults(found, stayed)).toEqual(NONE)
  })

  test('notifications, of one member and to all', async () => {
    await sql`update members set created_at = now() - interval '1 year' where id = ${memberId}`.execute(site.db)
    const insert = async (isToAll: boolean, seconds: number) => {
      const time = sql`now() - ${seconds} * interval '1 second'`
      const { rows } = isToAll
        ? await sql<{ id: number }>`insert into broadcasts (type, title, message, created_at)
            values ('info', 'To all', 'Text.', ${time}) returning id`.execute(site.db)
        : await sql<{ id: number }>`insert into notifications (member_id, kind, type, title, message, moved_at)
            values (${memberId}, 'admin', 'info', 'To one', 'Text.', ${time}) returning id`.execute(site.db)
      return rows[0]?.id ?? 0
    }
    const ids: number[] = []
    // Some times are equal, and the times are in another order than the ids.
    for (let i = 0; i < 31; i++) ids.push(await insert(i % 3 === 0, 1000 + ((i * 7) % 10) * 10))
    const removed = new Set<number>()
    const found = await readAll(
      async (cursor) => {
        const page = (await get('notifications?limit=5', cursor)).json<ResultOf<'GET /api/user-notifications'>>()
        return { ids: page.notifications.map(({ id }) => id), ...page.pagination }
      },
      async (seen) => {
        await Promise.all([insert(true, 0), insert(false, 0)])
        for (const id of [seen.at(-1), ids.find((each) => !seen.includes(each) && !removed.has(each))]) {
          if (id === undefined) continue
          removed.add(id)
          await sql`delete from notifications where id = ${id}`.execute(site.db)
          await sql`delete from broadcasts where id = ${id}`.execute(site.db)
        }
      },
    )
    const stayed = ids.filter((id) => !removed.has(id))
    expect(findFaults(found, stayed)).toEqual(NONE)
  })
})

test('a page is as long as asked for, and the last one has no cursor', async () => {
  for (let i = 0; i < 4; i++) {
    const script_id = await makeScript(site.db)
    await site.db.insertInto('favorites').values({ member_id: memberId, script_id }).execute()
  }
  const read = async (cursor: string | null) => (await get('favorites?limit=2', cursor)).json<FavoriteList>()
  const first = await read(null)
  const second = await read(first.pagination.next_cursor)
  expect([first, second].map(({ favorites }) => favorites.length)).toEqual([2, 2])
  expect(second.pagination.next_cursor).toBeNull()
})

const encode = (position: object) => Buffer.from(JSON.stringify(position)).toString('base64url')
const DAY = '2026-01-31T10:00:00.000000Z'

test.each([
  ['favorites', 'abc'],
  ['favorites', encode({ sort: 'name', keys: ['a'], id: 1 })],
  ['favorites', encode({ sort: 'added', keys: ['2026-02-30T10:00:00.000000Z'], id: 1 })],
  ['favorites', encode({ sort: 'added', keys: ['0000-01-01T10:00:00.000000Z'], id: 1 })],
  ['favorites', encode({ sort: 'added', keys: ['now()'], id: 1 })],
  ['favorites', encode({ sort: 'added', keys: [DAY], id: 0 })],
  ['favorites', encode({ sort: 'added', keys: [DAY, DAY], id: 1 })],
  ['favorites?sort=name', encode({ sort: 'name', keys: ['\0'], id: 1 })],
  ['favorites?sort=rating', encode({ sort: 'rating', keys: [1, 1.5], id: 1 })],
  ['notifications', encode({ before: DAY, id: 1.5 })],
  ['notifications', encode({ before: '2026-13-01T10:00:00.000000Z', id: 1 })],
])('a cursor that was not made here is rejected (%s, %s)', async (path, cursor) => {
  const response = await get(path, cursor)
  expect([response.statusCode, response.json().fields]).toEqual([
    400,
    { cursor: 'Use the next_cursor of the page before.' },
  ])
})

test('a comment cursor that was not made here is rejected', async () => {
  const script = await makeScript(site.db)
  const response = await get(`scripts/${script}/comments`, encode({ before: 0 }))
  expect(response.statusCode).toBe(400)
})

test('cursors work at the ends of what a sort can have', async () => {
  expect(
    (await get('favorites', encode({ sort: 'added', keys: ['9999-12-31T23:59:59.999999Z'], id: 1 }))).statusCode,
  ).toBe(200)
  expect((await get('favorites?sort=rating', encode({ sort: 'rating', keys: [1e300, 0], id: 1 }))).statusCode).toBe(200)
  expect((await get('notifications', encode({ before: '0001-01-01T00:00:00.000000Z', id: 1 }))).statusCode).toBe(200)
})
