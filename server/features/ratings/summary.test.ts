import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import type { RatingSummary, Review } from '#contract/ratings.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { Random } from '#lab/attack/random.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { repetitions, TEST_SEED } from '#tests/support/seed.ts'
import { rateScript, removeRating } from './rate.ts'
import { syncAllVotes, syncVotes } from './summary.ts'

let site: TestApp
let pools: pg.Pool[]
beforeAll(async () => {
  site = await createTestApp()
  // Pools of several processes.
  pools = Array.from({ length: 4 }, () => openPool(site.database.connection, 4))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await site.close()
})
beforeEach(() => sql`delete from scripts`.execute(site.db))

const options = (index: number) => ({
  db: openDatabase(pools[index % 4] ?? site.pool),
  emit: async () => {},
})
const makeScripts = (count: number) => Promise.all(Array.from({ length: count }, () => makeScript(site.db)))
const makeMembers = (count: number) => Promise.all(Array.from({ length: count }, () => makeMember(site.db)))
const ban = (memberId: number, until: string | null) =>
  site.db.transaction().execute(async (trx) => {
    await sql`update members set banned_until = ${until}::timestamptz where id = ${memberId}`.execute(trx)
    await syncVotes(trx, memberId)
  })

/** Finds scripts whose stored summary differs from an aggregate over their counted ratings. */
async function findMismatches() {
  const { rows } = await sql`select st.script_id, st.rating_count, st.rating_average, c.*
    from script_stats st cross join lateral (
      select count(*) as all, coalesce(avg(rating), 0)::float8 as mean,
        array[count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3),
          count(*) filter (where rating = 4), count(*) filter (where rating = 5)] as stars
      from ratings r where r.script_id = st.script_id and r.is_counted) c
    where st.rating_count <> c.all or abs(st.rating_average - c.mean) > 1e-12
      or array[st.one_star, st.two_star, st.three_star, st.four_star, st.five_star]::bigint[] <> c.stars`.execute(
    site.db,
  )
  return rows
}

test('summaries match a recount after thousands of concurrent random operations', async () => {
  const [scripts, members] = [await makeScripts(7), await makeMembers(12)]
  const random = new Random(TEST_SEED)
  const operations = repetitions(1200, 5000)
  let started = 0
  const failures: string[] = []
  const runOperation = async (index: number) => {
    const key = { scriptId: random.pick(scripts), memberId: random.pick(members) }
    const choice = random.next()
    const rating = 1 + random.below(5)
    if (choice < 0.6) await rateScript(options(index), key, { rating, review: choice < 0.1 ? 'Words.' : null })
    else if (choice < 0.85) await removeRating(options(index).db, key)
    else if (choice < 0.92) await ban(key.memberId, 'infinity')
    else if (choice < 0.99) await ban(key.memberId, null)
    else await syncAllVotes(options(index).db)
  }
  const worker = async (index: number) => {
    while (started++ < operations) {
      await runOperation(index).catch((error: Error & { code?: string }) => {
        if (!['unauthorized', 'not_found'].includes(error.code ?? '')) failures.push(`${error.code} ${error.message}`)
      })
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, index) => worker(index)))
  expect(failures).toEqual([])
  expect(await findMismatches()).toEqual([])
}, 120_000)

test('20 concurrent ratings of a script by one member store one rating, for 20 members', async () => {
  const [script = 0] = await makeScripts(1)
  const members = await makeMembers(20)
  for (const memberId of members) {
    const actions = Array.from({ length: 20 }, (_, index) =>
      rateScript(options(index), { scriptId: script, memberId }, { rating: 1 + (index % 5) }),
    )
    await Promise.all(actions)
  }
  const { rows } = await sql`select count(*) as count from ratings where script_id = ${script}`.execute(site.db)
  expect(rows).toEqual([{ count: 20 }])
  expect(await findMismatches()).toEqual([])
})

describe('votes of a banned member', () => {
  let script: number
  let member: number
  let headers: { authorization: string }
  beforeEach(async () => {
    script = await makeScript(site.db)
    ;[member = 0] = await makeMembers(1)
    headers = await signIn(site.db, member)
    for (const [index, memberId] of [...(await makeMembers(2)), member].entries()) {
      await rateScript(options(0), { scriptId: script, memberId }, { rating: index === 2 ? 1 : 5, review: 'Words.' })
    }
  })
  const seen = async () => {
    const response = await site.app.inject(`/api/script-rating?id=${script}`)
    const { ratings, summary } = response.json<{ ratings: Review[]; summary: RatingSummary }>()
    return [summary.rating_count, Math.round(summary.average_rating * 10) / 10, ratings.length]
  }
  const findTopRated = async (other: number) => {
    site.catalogue.invalidate([script, other])
    const { scripts } = (await site.app.inject('/api/scripts?sort=rating_average')).json<ScriptList>()
    return scripts[0]?.id
  }
  const setBan = (until: ReturnType<typeof sql>) =>
    sql`update members set banned_until = ${until} where id = ${member}`.execute(site.db)

  test('stop counting with the ban, and count again when it is lifted', async () => {
    const other = await makeScript(site.db, { stats: { four_star: 1 } })
    expect([await seen(), await findTopRated(other)]).toEqual([[3, 3.7, 3], other])
    await ban(member, 'infinity')
    expect([await seen(), await findTopRated(other)]).toEqual([[2, 5, 2], script])
    await ban(member, 'infinity')
    expect(await seen()).toEqual([2, 5, 2])
    await ban(member, null)
    expect([await seen(), await findTopRated(other)]).toEqual([[3, 3.7, 3], other])
  })

  test('count again once when the ban ends, even if several processes check concurrently', async () => {
    await ban(member, 'infinity')
    await syncAllVotes(site.db)
    expect(await seen()).toEqual([2, 5, 2])
    await setBan(sql`now() - interval '1 second'`)
    await Promise.all([0, 1, 2, 3, 0, 1].map((index) => syncAllVotes(options(index).db)))
    expect(await seen()).toEqual([3, 3.7, 3])
  })

  test('are also excluded if the ban itself did not update them', async () => {
    await setBan(sql`'infinity'`)
    await syncAllVotes(site.db)
    expect(await seen()).toEqual([2, 5, 2])
  })

  test('count again at once when a member whose ban has ended rates before the next check', async () => {
    await ban(member, 'infinity')
    await setBan(sql`now()`)
    await site.app.inject({ method: 'POST', url: `/api/script-rating?id=${script}`, headers, payload: { rating: 3 } })
    expect(await seen()).toEqual([3, 4.3, 3])
    expect(await findMismatches()).toEqual([])
  })

  test('stay excluded when a banned account is deleted; those of other deleted accounts stay included', async () => {
    await ban(member, 'infinity')
    await sql`delete from members where id = ${member}`.execute(site.db)
    await syncAllVotes(site.db)
    expect(await seen()).toEqual([2, 5, 2])
    await sql`delete from members where id in (select member_id from ratings)`.execute(site.db)
    expect(await seen()).toEqual([2, 5, 2])
    expect(await findMismatches()).toEqual([])
  })

  test('cannot be written after a ban is acknowledged', async () => {
    const raters = await makeMembers(20)
    const outcomes = await Promise.all(
      raters.map(async (memberId, index) => {
        const action = rateScript(options(index), { scriptId: script, memberId }, { rating: 1 }).then(
          () => 'rated',
          (error: { code: string }) => error.code,
        )
        await ban(memberId, 'infinity')
        return action
      }),
    )
    expect(outcomes.every((outcome) => outcome === 'rated' || outcome === 'unauthorized')).toBe(true)
    expect(await seen()).toEqual([3, 3.7, 3])
    expect(await findMismatches()).toEqual([])
  })
})

describe("the sort 'Best'", () => {
  const titlesOf = async (query: string) => {
    const { scripts } = (await site.app.inject(`/api/scripts?${query}`)).json<ScriptList>()
    return scripts.map(({ title }) => title)
  }
  test('puts 50 votes of 4.8 above a single vote of 5, unlike the mean', async () => {
    await makeScript(site.db, { title: 'One vote', stats: { five_star: 1 } })
    await makeScript(site.db, { title: 'Fifty votes', stats: { five_star: 40, four_star: 10 } })
    await makeScript(site.db, { title: 'None' })
    await makeScript(site.db, { title: 'Bad', stats: { one_star: 3 } })
    site.catalogue.invalidate([])
    expect(await titlesOf('sort=score')).toEqual(['Fifty votes', 'One vote', 'None', 'Bad'])
    expect(await titlesOf('sort=rating_average')).toEqual(['One vote', 'Fifty votes', 'Bad', 'None'])
    expect(await titlesOf('sort=score&order=asc')).toEqual(['Bad', 'None', 'One vote', 'Fifty votes'])
  })
  test('puts the script with more votes first for equal scores', async () => {
    await makeScript(site.db, { title: 'Many', stats: { three_star: 9 } })
    await makeScript(site.db, { title: 'Few', stats: { three_star: 2 } })
    await makeScript(site.db, { title: 'None' })
    site.catalogue.invalidate([])
    expect(await titlesOf('sort=score')).toEqual(['Many', 'Few', 'None'])
  })
})
