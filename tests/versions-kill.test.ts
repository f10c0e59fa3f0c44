import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { AttackedSite } from '#lab/attack/site.ts'
import { makeApiToken, makeMember, makeScript } from '#tests/support/factories.ts'
import { HARMLESS, REMOTE } from '#tests/support/releases.ts'
import { findInconsistencies } from '#tests/support/scripts.ts'

/** Milliseconds from the answer to kill -9: before, during and after the analysis. */
const DELAYS = [0, 400, 1500]
/** Nothing is checked for longer than this after a start. */
const MAX_CHECK_MS = 120_000

const site = new AttackedSite()
afterAll(() => site.close())

test('kill -9 between analysis, state and notification leaves no version in its check, and none unnoticed', async () => {
  await site.start()
  const author = await makeMember(site.db)
  const { authorization } = await makeApiToken(site.db, author)
  const make = () => makeScript(site.db, { author_id: author, content: HARMLESS })
  const put = async (id: number, script_content: string) => {
    const response = await fetch(`http://127.0.0.1:${site.port}/api/v1/scripts/x-${id}/versions`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ script_content }),
    })
    expect([201, 202]).toContain(response.status)
  }
  const raw = async (id: number) => (await fetch(`http://127.0.0.1:${site.port}/raw/x-${id}`)).text()
  const countChecking = async () => {
    const { rowCount } = await site.pool.query("select from script_versions where state = 'checking'")
    return rowCount
  }
  for (const delay of DELAYS) {
    const [harmless, hostile] = [await make(), await make()]
    const code = `${HARMLESS}\nreturn ${delay}`
    await Promise.all([put(harmless, code), put(hostile, `${REMOTE}\nreturn ${delay}`)])
    await sleep(delay)
    await site.kill('SIGKILL')
    await site.start()
    expect(await site.waitUntilReady()).toBe(true)
    await expect.poll(countChecking, { timeout: MAX_CHECK_MS, interval: 500 }).toBe(0)
    expect([await raw(harmless), await raw(hostile)]).toEqual([code, HARMLESS])
    const { rows } = await site.pool.query(
      `select v.state, (select count(*) from notifications where group_key = 'held-' || v.script_id) as notifications
        from script_versions v where script_id = $1 and number = 2`,
      [hostile],
    )
    expect(rows).toEqual([{ state: 'held', notifications: 1 }])
  }
  expect(await findInconsistencies(site.db)).toEqual([])
}, 600_000)
