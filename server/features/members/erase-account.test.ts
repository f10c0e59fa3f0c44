import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Review } from '#contract/ratings.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { requestProfile } from '#tests/support/profiles.ts'
import { makeFullMember } from '#tests/support/full-member.ts'
import { startWriteLog, takeWrites } from '#tests/support/write-log.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

type SignedIn = Awaited<ReturnType<typeof signIn>>

const erase = (headers: Partial<SignedIn>, body: unknown) =>
  site.app.inject({
    method: 'DELETE',
    url: '/api/account',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  })

const nameOf = async (id: number) =>
  (await site.db.selectFrom('members').select('username').where('id', '=', id).executeTakeFirstOrThrow()).username

/** Every value of every row that is this number, by column. */
async function findTraces(id: number): Promise<string[]> {
  const { rows: tables } = await site.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'catalogue_changes' order by 1`,
  )
  const traces: string[] = []
  for (const { name } of tables) {
    const { rows } = await site.pool.query<{ key: string }>(
      `select distinct e.key from ${name} t, jsonb_each(to_jsonb(t)) e
        where e.value = to_jsonb($1::int) or (jsonb_typeof(e.value) = 'array' and e.value @> to_jsonb(array[$1::int]))`,
      [id],
    )
    traces.push(...rows.map(({ key }) => `${name}.${key}`))
  }
  return traces
}

describe('a deleted account', () => {
  test('is deleted with everything that belongs to the member', async () => {
    // An id that nothing else has.
    await site.pool.query(`alter sequence members_id_seq restart with 700001`)
    const { id, username, scripts, rated } = await makeFullMember(site)
    const headers = await signIn(site.db, id)
    const second = await signIn(site.db, id)
    expect((await requestProfile(site, id)).statusCode).toBe(200)
    const answer = await erase(headers, { username })
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Your account has been deleted.' }])

    expect((await requestProfile(site, id)).statusCode).toBe(404)
    expect((await requestProfile(site, username)).statusCode).toBe(404)
    for (const each of [headers, second]) {
      expect((await site.app.inject({ url: '/api/user-profile', headers: each })).statusCode).toBe(401)
    }
    const listed = (await site.app.inject('/api/scripts?limit=100')).json<ScriptList>().scripts
    expect(listed.filter((card) => scripts.includes(card.id))).toEqual([])
    expect((await site.app.inject(`/raw/spring-${scripts[0]}`)).statusCode).toBe(410)

    const { ratings, summary } = (await site.app.inject(`/api/script-rating?id=${rated}`)).json<{
      ratings: Review[]
      summary: { rating_count: number }
    }>()
    expect(ratings).toMatchObject([{ rating: 4, reviewer_name: 'Deleted member', reviewer_slug: '' }])
    expect(summary.rating_count).toBe(1)
  })

  test('leaves its id only where there is no name', async () => {
    await site.pool.query(`alter sequence members_id_seq restart with 800001`)
    const { id, username } = await makeFullMember(site)
    expect((await erase(await signIn(site.db, id), { username })).statusCode).toBe(200)
    expect((await findTraces(id)).toSorted()).toEqual([
      'audit_log.actor_id',
      'audit_log.member_id',
      'audit_log.subject_id',
      'notifications.actor_id',
      'notifications.actors',
      'persons.former_member_ids',
    ])
  })

  test('leaves points and giveaway entries without a name', async () => {
    const { id, username, other } = await makeFullMember(site)
    await erase(await signIn(site.db, id), { username })
    const ledger = site.db
      .selectFrom('reputation_ledger')
      .select(['points', 'giver_id'])
      .where('receiver_id', '=', other)
    expect(await ledger.execute()).toEqual([{ points: 1, giver_id: null }])
    const entries = await site.pool.query('select member_id, place from giveaway_entries order by id desc limit 1')
    expect(entries.rows).toEqual([{ member_id: null, place: 1 }])
  })

  test('can be that of a muted member', async () => {
    const id = await makeMember(site.db, { muted_until: 'infinity' })
    expect((await erase(await signIn(site.db, id), { username: await nameOf(id) })).statusCode).toBe(200)
  })

  test('can be replaced by a new one of the same person', async () => {
    const columns = { discord_id: '4242', username: 'again', slug: 'again' }
    const id = await makeMember(site.db, columns)
    await erase(await signIn(site.db, id), { username: 'again' })
    expect(await makeMember(site.db, columns)).toBeGreaterThan(id)
  })
})

describe('an account is not deleted', () => {
  beforeAll(() => startWriteLog(site.pool))

  test.each([
    ['another name', { username: 'somebody' }],
    ['other letters', { username: 'Stays' }],
    ['nothing', { username: '' }],
    ['no name', {}],
    ['a number', { username: 1 }],
    ['a list', { username: ['stays'] }],
    ['more than the name', { username: 'stays', sure: true }],
    ['a long name', { username: 's'.repeat(101) }],
    ['a character that nobody has', { username: 'stays\0' }],
  ])('if the confirmation is %s', async (_what, body) => {
    const id = await makeMember(site.db, { username: 'stays' })
    const headers = await signIn(site.db, id)
    await takeWrites(site.pool)
    const answer = await erase(headers, body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<{ fields: object }>().fields)).not.toEqual([])
    expect(await takeWrites(site.pool)).toEqual([])
  })

  test('without a session', async () => {
    expect((await erase({}, { username: 'stays' })).statusCode).toBe(401)
  })
})

describe('the last admin', () => {
  const makeAdmins = async (...columns: object[]) => {
    await site.db.updateTable('members').set({ is_admin: false }).execute()
    const ids: number[] = []
    for (const each of columns) ids.push(await makeMember(site.db, { is_admin: true, ...each }))
    return Promise.all(ids.map(async (id) => ({ headers: await signIn(site.db, id), username: await nameOf(id) })))
  }

  test('cannot be deleted, also if the only other one is banned', async () => {
    const [only] = await makeAdmins({}, { banned_until: 'infinity' })
    const answer = await erase(only?.headers ?? {}, { username: only?.username })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'last_admin'])
  })

  test('remains, however many admins delete their accounts at once', async () => {
    for (let round = 0; round < 20; round++) {
      const admins = await makeAdmins({}, {}, {})
      const answers = await Promise.all(admins.map(({ headers, username }) => erase(headers, { username })))
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 409])
      const left = await site.pool.query('select 1 from members where is_admin')
      expect(left.rowCount).toBe(1)
    }
  })
})

test('an account is deleted while others rate, view and change its content', async () => {
  const raters = await Promise.all(Array.from({ length: 4 }, () => signIn(site.db)))
  for (let round = 0; round < 20; round++) {
    const author_id = await makeMember(site.db)
    const headers = await signIn(site.db, author_id)
    const scripts = [await makeScript(site.db, { author_id }), await makeScript(site.db, { author_id })]
    const username = await nameOf(author_id)
    const rating = scripts.flatMap((id) =>
      raters.map((rater) =>
        site.app.inject({ method: 'POST', url: `/api/script-rating?id=${id}`, headers: rater, payload: { rating: 4 } }),
      ),
    )
    const giving = raters.map((rater) =>
      site.app.inject({
        method: 'POST',
        url: '/api/profile-reputation',
        headers: rater,
        payload: { target_user_id: author_id },
      }),
    )
    const publishing = site.app.inject({
      method: 'POST',
      url: '/api/scripts',
      headers,
      payload: { title: 'Late', description: 'Text.', script_content: 'return 1' },
    })
    const [gone, ...others] = await Promise.all([erase(headers, { username }), ...rating, ...giving, publishing])
    expect(gone?.statusCode, gone?.payload).toBe(200)
    expect(others.map(({ statusCode, payload }) => (statusCode >= 500 ? payload : '')).filter(Boolean)).toEqual([])
    const left = await site.pool.query(
      `select (select count(*) from scripts where author_id = $1) + (select count(*) from notifications where member_id = $1)
        + (select count(*) from script_stats where script_id = any($2)) as count`,
      [author_id, scripts],
    )
    expect(left.rows).toEqual([{ count: 0 }])
  }
})

test('a reply to a review whose author is deleted at that moment fails with an error message', async () => {
  const author_id = await makeMember(site.db)
  const [headers, writer] = [await signIn(site.db, author_id), await makeMember(site.db)]
  const script_id = await makeScript(site.db, { author_id })
  const { id } = await site.db
    .insertInto('ratings')
    .values({ script_id, member_id: writer, rating: 2, review: 'Words.' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const client = await site.pool.connect()
  await client.query('begin')
  await client.query('delete from members where id = $1', [writer])
  const answering = site.app.inject({
    method: 'PUT',
    url: '/api/rating-reply',
    headers,
    payload: { rating_id: id, reply: 'Thank you.' },
  })
  const waiting = `select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  await expect.poll(async () => (await site.pool.query(waiting)).rowCount, { timeout: 10_000 }).toBeGreaterThan(0)
  await client.query('commit')
  client.release()
  const answer = await answering
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'gone_meanwhile'])
})
