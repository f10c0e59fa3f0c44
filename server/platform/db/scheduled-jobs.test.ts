import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { createAppOn } from '#tests/support/app.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { makeScript, signIn } from '#tests/support/factories.ts'

/** Longer than the interval of the job that deletes due data. */
const INTERVAL_MS = 61 * 60_000
const close: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const one of close.splice(0).toReversed()) await one()
})

test('only the first of several processes runs scheduled jobs', async () => {
  const database = await createTestDatabase()
  close.push(() => database.drop())
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const open = async (isFirst: boolean) => {
    const site = await createAppOn(database, database.pool, {}, { isFirst })
    close.push(() => site.close())
    return site
  }
  const second = await open(false)
  await signIn(second.db)
  await sql`update sessions set last_used_at = now() - interval '1 year'`.execute(second.db)
  const count = async () => (await second.db.selectFrom('sessions').select('member_id').execute()).length

  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  // A job that has started gets a connection before this does.
  await makeScript(second.db)
  expect(await count()).toBe(1)
  await open(true)
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  await expect.poll(count, { timeout: 60_000 }).toBe(0)
})
