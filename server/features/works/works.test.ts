import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Works } from '#contract/works.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { Person } from '#tests/support/person.ts'
import { createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'
import { recountWorks, syncAllWorksVotes } from './recount.ts'
import { lowerBound, tallyVotes, worksUntil } from './score.ts'

type Headers = { authorization: string }

let site: SignInSite
let admin: Headers
beforeAll(async () => {
  site = await createSignInSite()
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
})
afterAll(() => site.close())

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
const OLD = { created_at: daysAgo(400) }

const run = (text: string, values: unknown[] = []) => site.pool.query(text, values)

async function makeVoter(values: object = OLD): Promise<{ id: number; headers: Headers }> {
  const id = await makeMember(site.db, values)
  return { id, headers: await signIn(site.db, id) }
}

async function vote(headers: Headers, script_id: number, works: boolean, more: object = {}) {
  const payload = { script_id, version_number: 1, works, ...more }
  const response = await site.app.inject({ method: 'POST', url: '/api/works-votes', headers, payload })
  return { status: response.statusCode, body: response.json<Works & { code?: string; error?: string }>() }
}

async function read(id: number, headers: Partial<Headers> = {}): Promise<Works> {
  const response = await site.app.inject({ url: `/api/works-votes?id=${id}`, headers })
  expect(response.statusCode).toBe(200)
  return response.json<Works>()
}

/** Adds votes of this many members at once. */
async function addVotes(
  script: number,
  count: number,
  values: { works?: boolean; is_established?: boolean; days?: number } = {},
) {
  const { works = true, is_established = true, days = 0 } = values
  await run(
    `with voters as (insert into members (discord_id, username, slug)
        select (1e17 + floor(random() * 1e16))::bigint::text, left(gen_random_uuid()::text, 18), left(gen_random_uuid()::text, 18)
        from generate_series(1, $1)
        returning id)
     insert into works_votes (script_id, version_number, month, member_id, works, weight, is_established, voted_at)
     select $2, 1, date_trunc('month', now())::date, id, $3, 1, $4, now() - $5 * interval '1 day' from voters`,
    [count, script, works, is_established, days],
  )
  await site.db.transaction().execute((trx) => recountWorks(trx, [script]))
}

const listedAsWorking = async () =>
  (await site.app.inject('/api/scripts?limit=100&works_now=true')).json<ScriptList>().scripts.map(({ id }) => id)

const publish = (id: number, author: number) =>
  site.db.transaction().execute(async (trx) => {
    await trx.selectFrom('scripts').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const version = { script_id: id, number: 2, version: '2.0.0', content: 'return 2', sha256: 'a'.repeat(64), size: 8 }
    await trx.insertInto('script_versions').values(version).execute()
    await trx.updateTable('scripts').set({ current_version: 2, author_id: author }).where('id', '=', id).execute()
  })

describe('a vote', () => {
  test('counts once per member, and the newest one of a month replaces the others', async () => {
    const script = await makeScript(site.db)
    const [one, two] = [await makeVoter(), await makeVoter()]
    expect((await vote(one.headers, script, true, { note: ' Works on my phone. ' })).body).toMatchObject({
      summary: { works: 1, total: 1, version_number: 1 },
      own_vote: { works: true, note: 'Works on my phone.', is_new_member: false },
      notes: null,
    })
    await vote(two.headers, script, true)
    const { body } = await vote(one.headers, script, false)
    expect(body).toMatchObject({ summary: { works: 1, total: 2 }, own_vote: { works: false, note: null } })
    const { rows } = await run('select count(*) as count from works_votes where script_id = $1', [script])
    expect(rows).toEqual([{ count: 2 }])
  })

  test('of a later month is stored too, and replaces the earlier one in the counts', async () => {
    const script = await makeScript(site.db)
    const { headers } = await makeVoter()
    await vote(headers, script, false)
    await run(`update works_votes set month = month - interval '1 month' where script_id = $1`, [script])
    expect((await vote(headers, script, true)).body.summary).toMatchObject({ works: 1, total: 1 })
    const { rows } = await run('select works, is_latest from works_votes where script_id = $1 order by month', [script])
    expect(rows).toEqual([
      { works: false, is_latest: false },
      { works: true, is_latest: true },
    ])
  })

  test('can be removed', async () => {
    const script = await makeScript(site.db)
    const { headers } = await makeVoter()
    await vote(headers, script, true)
    const remove = () => site.app.inject({ method: 'DELETE', url: `/api/works-votes?id=${script}`, headers })
    expect((await remove()).json<Works>()).toMatchObject({ summary: { total: 0, score: null }, own_vote: null })
    expect((await remove()).statusCode).toBe(404)
  })

  test('on another version changes nothing and says what to do', async () => {
    const author = await makeMember(site.db)
    const script = await makeScript(site.db, { author_id: author })
    const { headers } = await makeVoter()
    await vote(headers, script, true)
    await publish(script, author)
    const { status, body } = await vote(headers, script, false)
    expect([status, body.code, body.error]).toEqual([
      409,
      'other_version',
      'A newer version is out. Reload the page and try that one first.',
    ])
    const { rows } = await run('select works, version_number from works_votes where script_id = $1', [script])
    expect(rows).toEqual([{ works: true, version_number: 1 }])
    expect((await vote(headers, script, false, { version_number: 2 })).status).toBe(200)
  })

  test('on the own script, a private script or a missing one is rejected', async () => {
    const { id, headers } = await makeVoter()
    const own = await makeScript(site.db, { author_id: id })
    const hidden = await makeScript(site.db, { is_public: false })
    expect((await vote(headers, own, true)).body.code).toBe('own_script')
    expect((await vote(headers, hidden, true)).body.code).toBe('script_not_found')
    expect((await vote(headers, 999_999, true)).body.code).toBe('script_not_found')
  })

  test('with a note that is too long is rejected', async () => {
    const { headers } = await makeVoter()
    const { status, body } = await vote(headers, await makeScript(site.db), true, { note: 'a'.repeat(301) })
    expect([status, body]).toMatchObject([400, { fields: { note: 'Note must have at most 300 characters.' } }])
  })

  test('has a note that only the author reads', async () => {
    const author = await makeVoter()
    const script = await makeScript(site.db, { author_id: author.id })
    const voter = await makeVoter({ ...OLD, display_name: 'Ada' })
    await vote(voter.headers, script, false, { note: 'Error in line 3.' })
    expect((await read(script, author.headers)).notes).toMatchObject([
      { works: false, note: 'Error in line 3.', member_name: 'Ada' },
    ])
    for (const headers of [{}, voter.headers, admin]) expect((await read(script, headers)).notes).toBeNull()
  })

  test('of one person counts once, also after the account was deleted, and loses its note', async () => {
    const ada = await new Person(site, 'ada').signIn()
    const script = await makeScript(site.db)
    const ask = (works: boolean) =>
      ada.ask('POST /api/works-votes', { script_id: script, version_number: 1, works, note: 'Hm.' })
    await ask(true)
    expect(await ada.eraseAccount()).toBe(200)
    const { rows } = await run('select member_id, note from works_votes where script_id = $1', [script])
    expect(rows).toEqual([{ member_id: null, note: null }])
    await ada.signIn()
    expect((await ada.ask(`GET /api/works-votes?id=${script}`)).body).toMatchObject({ own_vote: { works: true } })
    await ask(false)
    const votes = await run('select works, is_latest from works_votes where script_id = $1', [script])
    expect(votes.rows).toEqual([{ works: false, is_latest: true }])
  })

  test('of a banned member does not count until the ban ends', async () => {
    const script = await makeScript(site.db)
    const { id, headers } = await makeVoter()
    await addVotes(script, 3)
    await vote(headers, script, false)
    const act = (action: string, more = {}) =>
      site.app.inject({
        method: 'POST',
        url: '/api/admin-keys',
        headers: admin,
        payload: { action, user_id: id, ...more },
      })
    await act('ban_user', { reason: 'Loud.', duration: 24 })
    expect((await read(script)).summary).toMatchObject({ works: 3, total: 3 })
    await act('unban_user')
    expect((await read(script)).summary).toMatchObject({ works: 3, total: 4 })
    await act('ban_user', { reason: 'Loud.', duration: 24 })
    await run(`update members set banned_until = now() where id = $1`, [id])
    await run(`update sanctions set ends_at = now() where member_id = $1`, [id])
    await syncAllWorksVotes(site.db)
    expect((await read(script)).summary).toMatchObject({ works: 3, total: 4 })
  })
})

describe('the score', () => {
  test('is reset by a new version', async () => {
    const author = await makeMember(site.db)
    const script = await makeScript(site.db, { author_id: author })
    await addVotes(script, 10)
    expect((await read(script)).summary).toMatchObject({ works: 10, total: 10, works_now: true })
    await publish(script, author)
    expect((await read(script)).summary).toEqual({
      version_number: 2,
      version: '1.0.0',
      works: 0,
      total: 0,
      new_votes: 0,
      score: null,
      works_now: false,
    })
  })

  test('moves by less than 5 points when 1,000 new accounts vote', async () => {
    const script = await makeScript(site.db)
    await addVotes(script, 31)
    await addVotes(script, 3, { works: false })
    const before = (await read(script)).summary
    expect(before).toMatchObject({ works: 31, total: 34, new_votes: 0, score: 0.8, works_now: true })
    await addVotes(script, 1000, { works: false, is_established: false })
    const after = (await read(script)).summary
    expect(after).toMatchObject({ works: 31, total: 34, new_votes: 1000, works_now: true })
    expect(Math.abs((after.score ?? 0) - (before.score ?? 0))).toBeLessThan(0.05)
  })

  test('counts a new member little, and one with a warning half', async () => {
    const script = await makeScript(site.db)
    const recent = await makeVoter({ created_at: daysAgo(3) })
    expect((await vote(recent.headers, script, true)).body).toMatchObject({
      own_vote: { is_new_member: true },
      summary: { works: 0, total: 0, new_votes: 1, score: null },
    })
    const warned = await makeVoter()
    await run(
      `insert into sanctions (member_id, kind, severity, reason, ends_at) values ($1, 'warning', 'minor', 'Loud.', 'infinity')`,
      [warned.id],
    )
    await vote(warned.headers, script, true)
    const { rows } = await run('select weight from works_votes where script_id = $1 order by id', [script])
    expect(rows).toEqual([{ weight: expect.closeTo(0.1, 3) as number }, { weight: 0.5 }])
  })

  test('counts people of the last 7 days, but keeps older votes with less weight', async () => {
    const script = await makeScript(site.db)
    await addVotes(script, 4, { days: 8 })
    await addVotes(script, 2)
    const { works, total, score } = (await read(script)).summary
    expect([works, total]).toEqual([2, 2])
    expect(score).toBeCloseTo(lowerBound({ yes: 2 + 4 * 2 ** (-8 / 14), total: 2 + 4 * 2 ** (-8 / 14) }), 1)
  })

  test('of concurrent votes is that of a recount', async () => {
    const script = await makeScript(site.db)
    const voters = await Promise.all(Array.from({ length: 24 }, () => makeVoter()))
    await Promise.all(voters.map(({ headers }, i) => vote(headers, script, i % 3 > 0)))
    const { rows } = await run('select works_yes, works_total from script_stats where script_id = $1', [script])
    expect(rows[0]).toEqual({
      works_yes: expect.closeTo(16, 3) as number,
      works_total: expect.closeTo(24, 3) as number,
    })
  })

  test('is computed by the database as by the reference', async () => {
    const script = await makeScript(site.db)
    await addVotes(script, 17, { days: 3 })
    await addVotes(script, 5, { works: false, days: 20 })
    await addVotes(script, 9, { is_established: false, days: 1 })
    const votes = await run(
      `select works, weight, is_established as "isEstablished", voted_at as "votedAt" from works_votes where script_id = $1`,
      [script],
    )
    const { rows } = await run('select * from script_stats where script_id = $1', [script])
    const [row] = rows as { works_yes: number; works_total: number; works_counted_at: Date; works_until: Date }[]
    const tally = tallyVotes(votes.rows as Parameters<typeof tallyVotes>[0], row?.works_counted_at ?? new Date())
    expect(row?.works_yes).toBeCloseTo(tally.yes, 6)
    expect(row?.works_total).toBeCloseTo(tally.total, 6)
    const until = worksUntil(tally, row?.works_counted_at ?? new Date())
    expect(Math.abs((row?.works_until.getTime() ?? 0) - (until?.getTime() ?? 0))).toBeLessThan(1000)
  })
})

describe('the filter "works now"', () => {
  test('lists scripts whose score is above one half', async () => {
    const [three, two, divided] = [await makeScript(site.db), await makeScript(site.db), await makeScript(site.db)]
    await addVotes(three, 3)
    await addVotes(two, 2)
    await addVotes(divided, 6)
    await addVotes(divided, 4, { works: false })
    const listed = await listedAsWorking()
    expect([three, two, divided].map((id) => listed.includes(id))).toEqual([true, false, false])
    for (const id of [three, two, divided]) {
      const { score, works_now } = (await read(id)).summary
      expect((score ?? 0) >= 0.5).toBe(works_now)
    }
  })
})
