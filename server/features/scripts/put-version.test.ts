import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptVersion } from '#contract/scripts.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeApiToken, makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { checkVersions, findInconsistencies } from '#tests/support/scripts.ts'

let site: TestApp
let memberId: number
let token: { authorization: string }
beforeAll(async () => {
  site = await createTestApp()
  memberId = await makeMember(site.db)
  token = await makeApiToken(site.db, memberId, ['scripts:write'])
})
const checkConsistency = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkConsistency()
  await site.close()
})

interface Stored {
  script: { id: number; slug: string }
  version: ScriptVersion
}

const put = (id: number, payload: object, headers: { authorization: string } = token) =>
  site.app.inject({ method: 'PUT', url: `/api/v1/scripts/lamp-${id}/versions`, headers: { ...headers }, payload })
const make = () => makeScript(site.db, { author_id: memberId, title: 'Lamp', content: 'return 1' })
const countVersions = async (id: number) =>
  (await site.pool.query('select from script_versions where script_id = $1', [id])).rowCount

describe('pushing code', () => {
  test('adds a version with its changelog and number', async () => {
    const id = await make()
    const response = await put(id, { script_content: 'return 2', changelog: 'Brighter.', version: '1.1.0' })
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json<Stored>()).toMatchObject({
      script: { id, slug: `lamp-${id}` },
      version: { number: 2, version: '1.1.0', changelog: 'Brighter.', state: 'checking', is_current: false, size: 8 },
    })
    expect(response.body).not.toContain('script_content')
    await checkVersions(site)
    const again = await put(id, { script_content: 'return 2' })
    expect([again.statusCode, again.json<Stored>().version]).toMatchObject([200, { number: 2, state: 'current' }])
  })

  test('that is current changes nothing, whatever its number', async () => {
    const id = await make()
    const before = await site.db.selectFrom('scripts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const response = await put(id, { script_content: 'return 1', changelog: 'Again.', version: '9.9.9' })
    expect([response.statusCode, response.json<Stored>().version]).toMatchObject([
      200,
      { number: 1, version: '1.0.0', changelog: null },
    ])
    expect(await countVersions(id)).toBe(1)
    expect(await site.db.selectFrom('scripts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()).toEqual(
      before,
    )
  })

  test('again after an earlier version adds one', async () => {
    const id = await make()
    await put(id, { script_content: 'return 2' })
    await checkVersions(site)
    const response = await put(id, { script_content: 'return 1' })
    expect([response.statusCode, response.json<Stored>().version.number]).toEqual([201, 3])
  })

  test('that is current discards the version that waits', async () => {
    const id = await make()
    await put(id, { script_content: 'return "unwanted"' })
    const response = await put(id, { script_content: 'return 1' })
    expect([response.statusCode, response.json<Stored>().version.number]).toEqual([200, 1])
    await checkVersions(site)
    const { version } = (await put(id, { script_content: 'return 1' })).json<Stored>()
    expect(version).toMatchObject({ number: 1, state: 'current' })
  })

  test('several times at once adds one version', async () => {
    const id = await make()
    const responses = await Promise.all(Array.from({ length: 8 }, () => put(id, { script_content: 'return 3' })))
    const count = (status: number) => responses.filter(({ statusCode }) => statusCode === status).length
    expect([count(200), count(201)]).toEqual([7, 1])
    expect(new Set(responses.map((response) => response.json<Stored>().version.number))).toEqual(new Set([2]))
    expect(await countVersions(id)).toBe(2)
  })

  test('stores the declaration and has the code analyzed', async () => {
    const id = await make()
    await put(id, { script_content: 'return 4', declared_capabilities: ['net.webhook'], declared_hosts: ['a.example'] })
    const { rows } = await site.pool.query(
      'select declared_capabilities, declared_hosts from script_versions where script_id = $1 and number = 2',
      [id],
    )
    expect(rows).toEqual([{ declared_capabilities: ['net.webhook'], declared_hosts: ['a.example'] }])
    await checkVersions(site)
    const analyzed = await site.pool.query('select from script_behaviors where script_id = $1', [id])
    expect(analyzed.rowCount).toBe(1)
  })

  test.each([
    ['empty code', { script_content: '' }],
    ['control characters', { script_content: 'return "\u0001"' }],
    ['a long changelog', { script_content: 'return 5', changelog: 'x'.repeat(201) }],
    ['unknown fields', { script_content: 'return 5', title: 'Other' }],
  ])('with %s is rejected', async (_, payload) => {
    const id = await make()
    expect((await put(id, payload)).statusCode).toBe(400)
    expect(await countVersions(id)).toBe(1)
  })

  test("is for the author's own scripts, and not while muted", async () => {
    const id = await make()
    const other = await makeApiToken(site.db, await makeMember(site.db), ['scripts:write'])
    expect((await put(id, { script_content: 'return 6' }, other)).json().code).toBe('not_the_author')
    const hidden = await makeScript(site.db, { is_public: false })
    expect((await put(hidden, { script_content: 'return 6' })).json().code).toBe('script_not_found')
    const mutedId = await makeMember(site.db)
    const own = await makeScript(site.db, { author_id: mutedId })
    const mutedToken = await makeApiToken(site.db, mutedId, ['scripts:write'])
    await site.pool.query("update members set muted_until = 'infinity' where id = $1", [mutedId])
    expect((await put(own, { script_content: 'return 6' }, mutedToken)).json().code).toBe('muted')
    const session = await signIn(site.db, memberId)
    expect((await put(id, { script_content: 'return 6' }, session)).statusCode).toBe(201)
  })

  test('counts against the bytes per day', async () => {
    const id = await make()
    const small = await site.pool.query('select sum(bytes) from upload_usage where person_id = person_of($1)', [
      memberId,
    ])
    await put(id, { script_content: `return "${'x'.repeat(1000)}"` })
    const after = await site.pool.query('select sum(bytes) from upload_usage where person_id = person_of($1)', [
      memberId,
    ])
    expect(Number(after.rows[0].sum) - Number(small.rows[0].sum)).toBe(1009)
  })
})
