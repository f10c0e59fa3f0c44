import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AdminStats } from '#contract/admin.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeCase } from '#tests/support/reports.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())

const read = async () => (await portal.get<AdminStats>('/api/admin-keys?type=stats')).body
const today = () => new Date().toISOString().slice(0, 10)

describe('the stats', () => {
  let before: AdminStats
  beforeEach(async () => {
    before = await read()
  })

  test('follow sign-ups, deletions, bans and roles', async () => {
    const { db, pool } = portal
    await makeMember(db)
    await makeMember(db, { is_moderator: true, created_at: new Date('2021-05-05') })
    await makeMember(db, { banned_until: 'infinity' })
    await makeMember(db, { banned_until: new Date('2020-01-01') })
    const gone = await makeMember(db)
    await pool.query(`delete from members where id = ${gone}`)
    const after = await read()
    expect(after.total_users - before.total_users).toBe(4)
    expect(after.new_users_today - before.new_users_today).toBe(4)
    expect(after.banned_users - before.banned_users).toBe(1)
    expect(after.active_users - before.active_users).toBe(3)
    expect(after.admin_users - before.admin_users).toBe(1)
    expect(after.recent_users).toHaveLength(5)
  })

  test('follow scripts, downloads and ratings, on their days', async () => {
    const { db, pool } = portal
    const author_id = await makeMember(db)
    const remaining = await makeScript(db, { author_id, stats: { download_count: 5 } })
    const gone = await makeScript(db, {
      author_id,
      created_at: new Date(Date.now() - 86_400_000),
      stats: { download_count: 7 },
    })
    await pool.query(
      `update script_stats set download_count = download_count + 2, view_count = 9 where script_id = ${remaining}`,
    )
    await portal.send(`POST /api/script-rating?id=${remaining}`, { rating: 5 }, await signIn(db))
    await pool.query(`delete from scripts where id = ${gone}`)
    const after = await read()
    expect(after.total_scripts - before.total_scripts).toBe(1)
    expect(after.total_downloads - before.total_downloads).toBe(14)
    const change = (i: number) => {
      const [now, then] = [after.days.at(i), before.days.at(i)]
      if (!now || !then) throw new Error('no such day')
      return {
        uploads: now.uploads - then.uploads,
        downloads: now.downloads - then.downloads,
        ratings: now.ratings - then.ratings,
      }
    }
    expect(change(-1)).toEqual({ uploads: 1, downloads: 7, ratings: 1 })
    expect(change(-2)).toEqual({ uploads: 1, downloads: 7, ratings: 0 })
  })

  test('follow notifications and reports', async () => {
    const { db } = portal
    const id = await makeMember(db)
    await portal.act({ action: 'send_notification', title: 'A', message: 'B', user_id: id })
    await portal.send('POST /api/user-notifications', { action: 'mark_read' }, await signIn(db, id))
    await portal.act({ action: 'send_notification', title: 'A', message: 'B', user_id: id })
    await makeCase(db, { subject_id: id })
    const after = await read()
    expect(after.total_notifications - before.total_notifications).toBe(2)
    expect(after.unread_notifications - before.unread_notifications).toBe(1)
    expect(after.open_reports - before.open_reports).toBe(1)
  })
})

test('contain each of the last 365 days', async () => {
  const { days } = await read()
  expect(days).toHaveLength(365)
  expect(days.at(-1)?.day).toBe(today())
  const gaps = days
    .slice(1)
    .filter(({ day }, index) => Date.parse(day) - Date.parse(days[index]?.day ?? '') !== 86_400_000)
  expect(gaps).toEqual([])
})

test('contain the five newest members, newest first', async () => {
  const ids = []
  for (let number = 0; number < 6; number++) ids.push(await makeMember(portal.db))
  const { recent_users } = await read()
  expect(recent_users.map(({ id }) => id)).toEqual(ids.slice(1).toReversed())
})

test('describe the system', async () => {
  const { system } = await read()
  expect(system).toEqual({
    environment: 'Local',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    started_at: expect.stringMatching(/Z$/),
    database: 'Operational',
    database_version: expect.stringMatching(/^PostgreSQL \d+/),
    backup: null,
    wal_archive: null,
  })
  expect(Date.parse(system.started_at)).toBeLessThanOrEqual(Date.now())
})

test('stored stats equal a recount after many concurrent actions', async () => {
  const { db, pool } = portal
  const acts = Array.from({ length: 120 }, (_, number) => async () => {
    const id = await makeMember(db, { created_at: new Date(Date.now() - (number % 5) * 86_400_000) })
    const script = await makeScript(db, { author_id: id, stats: { download_count: number } })
    await pool.query(`update script_stats set download_count = download_count + 3 where script_id = ${script}`)
    if (number % 3 === 0) await pool.query(`delete from members where id = ${id}`)
  })
  await Promise.all(acts.map((act) => act()))
  const { rows } = await pool.query<{ stored: string; counted: string }>(`select
    (select concat(sum(sign_ups - account_deletions), ' ', sum(uploads - script_deletions)) from daily_stats) as stored,
    concat((select count(*) from members), ' ', (select count(*) from scripts)) as counted`)
  expect(rows[0]?.stored).toBe(rows[0]?.counted)
  const recounted = await read()
  await pool.query('select recount_daily_stats()')
  const after = await read()
  expect([after.total_users, after.total_scripts]).toEqual([recounted.total_users, recounted.total_scripts])
})
