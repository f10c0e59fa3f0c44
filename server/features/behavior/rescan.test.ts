import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behavior } from '#contract/behavior.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { makeScript, signIn } from '#tests/support/factories.ts'
import { publish, sendChange, sendDelete } from '#tests/support/scripts.ts'
import { deleteUnusedCards } from './rescan.ts'

const SOON = { timeout: 60_000, interval: 50 }
const REMOTE = 'loadstring(game:HttpGet("https://example.com/hub.lua"))()'
const OLDER = ANALYZER_VERSION - 1

let database: TestDatabase
let site: TestApp
let neverAnalyzed: number
let outdated: number
beforeAll(async () => {
  database = await createTestDatabase()
  const db = openDatabase(database.pool)
  neverAnalyzed = await makeScript(db, { content: REMOTE })
  outdated = await makeScript(db, { content: `${REMOTE}\nreturn 1` })
  const { sha256 } = await db
    .selectFrom('script_versions')
    .select('sha256')
    .where('script_id', '=', outdated)
    .executeTakeFirstOrThrow()
  const card = { sha256, analyzer_version: OLDER, status: 'ready', capabilities: ['game.chat'] }
  const findings = [{ id: 'game.chat', certainty: 'code', evidence: [], count: 1 }]
  await db
    .insertInto('behavior_cards')
    .values({ ...card, card: JSON.stringify({ capabilities: findings }) })
    .execute()
  await db
    .insertInto('script_behaviors')
    .values({ ...card, script_id: outdated })
    .execute()
  // This process serves; another one runs the jobs.
  site = await createAppOn(database, database.pool)
})
afterAll(async () => {
  await site.close()
  await database.drop()
})

const readBehavior = async (id: number): Promise<Behavior> => {
  const response = await site.app.inject(`/api/script-behavior?id=${id}`)
  return response.json<{ behavior: Behavior }>().behavior
}
const idsOf = ({ capabilities }: Behavior) => capabilities.map(({ id }) => id)
const count = async (where: string) =>
  (await site.pool.query<{ count: number }>(`select count(*) from behavior_cards where ${where}`)).rows[0]?.count

describe('the background scan', () => {
  test('analyzes code without a card, and shows an older card until a new one replaces it', async () => {
    expect(await readBehavior(neverAnalyzed)).toMatchObject({ status: 'pending', capabilities: [] })
    expect(await readBehavior(outdated)).toMatchObject({
      status: 'ready',
      is_outdated: true,
      analyzer_version: OLDER,
      capabilities: [{ id: 'game.chat' }],
    })
    const version = site.catalogue.version
    const worker = await createAppOn(database, database.pool, {}, { runsJobs: true, sandboxes: fakeSandboxes })
    try {
      for (const id of [neverAnalyzed, outdated]) {
        await expect.poll(async () => idsOf(await readBehavior(id)), SOON).toContain('code.remote')
        await expect
          .poll(() => readBehavior(id), SOON)
          .toMatchObject({ status: 'ready', is_outdated: false, analyzer_version: ANALYZER_VERSION })
      }
      // The process that serves drops its cached pages.
      await expect.poll(() => site.catalogue.version, SOON).toBeGreaterThan(version)
      const { rows } = await site.pool.query('select from notifications union all select from report_cases')
      expect(rows).toEqual([])
    } finally {
      await worker.close()
    }
  })

  test('leaves each script with the card of its code, however often the same code is published at once', async () => {
    const codes = [REMOTE, 'print("hello")', `${REMOTE}\nreturn 2`].map((code) => `${code} -- at once`)
    const authors = await Promise.all([1, 2, 3].map(() => signIn(site.db)))
    const worker = await createAppOn(database, database.pool, {}, { runsJobs: true })
    try {
      await Promise.all(
        authors.map(async (author, i) => {
          const id = await publish(site, author, { script_content: codes[i] })
          for (let round = 1; round <= 4; round++) {
            await sendChange(site, author, id, { script_content: codes[(i + round) % 3], version: String(round) })
          }
        }),
      )
      const findWrong = async () => {
        const { rows } = await site.pool.query(`select s.id from scripts s
            join script_versions v on v.script_id = s.id and v.number = s.current_version
            left join script_behaviors b on b.script_id = s.id left join behavior_cards c
              on c.sha256 = v.sha256 and c.analyzer_version = b.analyzer_version
          where b.sha256 is distinct from v.sha256 or b.status <> 'ready' or c.status <> 'ready'
            or b.capabilities is distinct from c.capabilities or b.awaits_review`)
        return rows
      }
      await expect.poll(findWrong, SOON).toEqual([])
    } finally {
      await worker.close()
    }
  })
})

test('cards without code are deleted, an hour after they were made', async () => {
  const author = await signIn(site.db)
  const id = await publish(site, author, { script_content: 'return "deleted"' })
  await publish(site, author, { script_content: 'return "stays"' })
  const { sha256 } = await readBehavior(id)
  await sendDelete(site, author, id)
  await deleteUnusedCards(site.db)
  expect(await count(`sha256 = '${sha256}'`)).toBe(1)
  await site.pool.query(`update behavior_cards set created_at = now() - interval '2 hours'`)
  const before = await count('true')
  await deleteUnusedCards(site.db)
  expect(await count(`sha256 = '${sha256}'`)).toBe(0)
  expect(await count('true')).toBe((before ?? 0) - 1)
})
