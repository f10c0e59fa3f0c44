import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())

async function readFlag(id: number, column: string) {
  const { rows } = await portal.pool.query<Record<string, boolean>>(`select ${column} from scripts where id = ${id}`)
  return rows[0]?.[column]
}

describe.each([
  ['script_feature', 'is_featured', 'featured'],
  ['script_verify', 'is_verified', 'verified'],
])('%s', (action, column, state) => {
  test('toggles the flag; the author is notified when it is set', async () => {
    const authorId = await makeMember(portal.db)
    const id = await makeScript(portal.db, { author_id: authorId, title: 'Spring' })
    const on = await portal.act({ action, script_id: id })
    expect([on.status, on.body.message, await readFlag(id, column)]).toEqual([
      200,
      `Script ${state} successfully`,
      true,
    ])
    const off = await portal.act({ action, script_id: id })
    expect([off.status, off.body.message, await readFlag(id, column)]).toEqual([
      200,
      `Script un${state} successfully`,
      false,
    ])
    expect(await portal.findNotifications(authorId)).toMatchObject([
      { type: 'success', title: `Your script was ${state}`, link: `/scripts/spring-${id}` },
    ])
    expect(await portal.findAuditEntries(authorId)).toEqual([
      { actor_id: portal.adminId, action: `un${action}`, before: { [column]: true }, after: { [column]: false } },
      { actor_id: portal.adminId, action, before: { [column]: false }, after: { [column]: true } },
    ])
  })

  test('an explicit value does not undo a concurrent change', async () => {
    const other = await signIn(portal.db, await makeMember(portal.db, { is_admin: true }))
    for (let round = 0; round < 5; round++) {
      const id = await makeScript(portal.db, { title: 'Spring' })
      const body = { action, script_id: id, value: true }
      const answers = await Promise.all([portal.act(body), portal.act(body, other)])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.body.error).toBe(`“Spring” is already ${state}.`)
      expect(await readFlag(id, column)).toBe(true)
    }
  })
})

test('a change appears in the catalogue at once', async () => {
  const id = await makeScript(portal.db)
  const featured = async () =>
    (await portal.get<{ scripts: { id: number }[] }>('/api/scripts?featured=true&limit=100', {})).body.scripts
  expect((await featured()).map((script) => script.id)).not.toContain(id)
  await portal.act({ action: 'script_feature', script_id: id })
  expect((await featured()).map((script) => script.id)).toContain(id)
})

test('deletes a script with everything that belongs to it and notifies the author', async () => {
  const authorId = await makeMember(portal.db)
  const id = await makeScript(portal.db, { author_id: authorId, title: 'Spring', tags: ['a'] })
  await portal.send(`POST /api/script-rating?id=${id}`, { rating: 5 }, await signIn(portal.db))
  const { status, body } = await portal.act({ action: 'script_delete', script_id: id })
  expect([status, body.message]).toEqual([200, 'Script deleted successfully'])
  for (const table of ['script_versions', 'script_stats', 'script_search', 'script_tags', 'ratings']) {
    const { rows } = await portal.pool.query(`select 1 from ${table} where script_id = ${id}`)
    expect(rows).toEqual([])
  }
  expect((await portal.findNotifications(authorId))[0]).toMatchObject({
    type: 'warning',
    title: 'Your script was removed',
    link: null,
  })
  expect((await portal.findAuditEntries(authorId))[0]).toMatchObject({
    action: 'script_delete',
    before: { title: 'Spring' },
  })
  const { body: log } = await portal.get<{ rows: { subject_name: string }[] }>('/api/audit-log?action=script_delete')
  expect(log.rows[0]?.subject_name).toBe('Spring')
  expect((await portal.act({ action: 'script_delete', script_id: id })).body.code).toBe('script_not_found')
})

test.each(['script_feature', 'script_verify', 'script_delete'])(
  '%s with an unknown or malformed id',
  async (action) => {
    expect((await portal.act({ action, script_id: 2_000_000_000 })).status).toBe(404)
    for (const script_id of [undefined, 0, 'one', 1.5, [1]]) {
      const { status, body } = await portal.act({ action, script_id })
      expect([status, Object.keys(body.fields)]).toEqual([400, ['script_id']])
    }
  },
)
