import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Script, scriptOperations } from '#contract/scripts.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { signIn } from '#tests/support/factories.ts'
import { findInconsistencies, publish, sendChange, sendDelete, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
let second: TestApp
let member: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  second = await createAppOn(site.database, site.pool)
  member = await signIn(site.db)
})
const checkConsistency = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkConsistency()
  await second.close()
  await site.close()
})

const change = async (id: number, body: object, app = site): Promise<Script> => {
  const response = await sendChange(app, member, id, body)
  expect(response.statusCode, response.payload).toBe(200)
  return response.json<{ script: Script }>().script
}

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

describe('a change', () => {
  test('returns the complete script in its new state', async () => {
    const id = await publish(site, member)
    const response = await sendChange(site, member, id, { title: 'New', description: 'd'.repeat(3000), tags: ['x'] })
    expect(Value.Check(scriptOperations['PUT /api/script-details'].response[200], response.json())).toBe(true)
    const { script } = response.json<{ script: Script }>()
    expect(script).toMatchObject({ id, title: 'New', slug: `new-${id}`, script_content: 'return 1' })
    expect(script.description).toHaveLength(3000)
    expect(script.tags.map(({ name }) => name)).toEqual(['x'])
  })

  test('keeps the fields that it omits', async () => {
    const fields = {
      title: 'Whole',
      version: '3',
      tags: ['b', 'a'],
      has_key_system: true,
      key_system_url: 'https://keys.example/',
      is_universal: false,
      game_id: '12',
      is_client_side: false,
      is_free: false,
      is_public: false,
      is_mobile_compatible: false,
      is_working: false,
      image: PIXEL,
    }
    const id = await publish(site, member, fields)
    const before = await change(id, {})
    for (const field of ['is_free', 'is_client_side', 'is_working', 'is_mobile_compatible', 'is_public'] as const) {
      const { updated_at: _newTime, ...after } = await change(id, { [field]: true })
      const { updated_at: _oldTime, ...expected } = {
        ...before,
        [field]: true,
        is_public_setting: field === 'is_public',
      }
      expect(after).toEqual(expected)
      await change(id, { [field]: false })
    }
  })

  test('clears the dependent field of a switch that it turns off', async () => {
    const key_system_url = 'https://keys.example/'
    const id = await publish(site, member, { has_key_system: true, key_system_url, is_universal: false, game_id: '12' })
    expect(await change(id, { has_key_system: false })).toMatchObject({ key_system_url: null, game_id: '12' })
    expect(await change(id, { is_universal: true })).toMatchObject({ game_id: null })
    expect(await change(id, { has_key_system: true, is_universal: false })).toMatchObject({
      key_system_url: null,
      game_id: null,
    })
    expect(await change(id, { key_system_url, game_id: '7' })).toMatchObject({ key_system_url, game_id: '7' })
    expect(await change(id, { key_system_url: null, game_id: '' })).toMatchObject({
      key_system_url: null,
      game_id: null,
    })
  })

  test('ignores a dependent field whose switch is off', async () => {
    const id = await publish(site, member)
    const script = await change(id, { key_system_url: 'https://keys.example/', game_id: '7' })
    expect(script).toMatchObject({ key_system_url: null, game_id: null, has_key_system: false, is_universal: true })
  })

  test('sets, keeps and removes the cover', async () => {
    const id = await publish(site, member)
    const { image } = await change(id, { image: PIXEL })
    expect(image).toMatch(/^\/media\//)
    expect((await change(id, { title: 'Other' })).image).toBe(image)
    expect((await change(id, { image })).image).toBe(image)
    expect((await change(id, { image: '' })).image).toBe('')
  })

  test('replaces all tags', async () => {
    const id = await publish(site, member, { tags: ['a', 'b'] })
    expect((await change(id, { tags: '["c","a"]' })).tags.map(({ name }) => name)).toEqual(['c', 'a'])
    expect((await change(id, { tags: [] })).tags).toEqual([])
  })

  test('is visible at once in lists, searches and tags, also where words and tags were removed', async () => {
    const id = await publish(site, member, { title: 'Quokka', tags: ['marsupial'] })
    const find = async (query: string) =>
      (await site.app.inject(`/api/scripts?${query}`)).json<{ scripts: { id: number }[] }>().scripts.map((s) => s.id)
    expect(await find('search=quokka')).toEqual([id])
    await change(id, { title: 'Wombat', tags: ['burrower'] })
    expect(await find('search=quokka')).toEqual([])
    expect(await find('tags=marsupial')).toEqual([])
    expect(await find('search=wombat')).toEqual([id])
    expect(await find('search=burrow')).toEqual([id])
    const tags = (await site.app.inject('/api/script-tags')).payload
    expect(tags).toContain('burrower')
    expect(tags).not.toContain('marsupial')
    await change(id, { is_public: false })
    expect(await find('search=wombat')).toEqual([])
    await change(id, { is_public: true })
    expect(await find('search=wombat')).toEqual([id])
  })

  test('reaches the lists of another server through the change feed', async () => {
    const id = await publish(site, member, { title: 'Distant' })
    const titles = async () =>
      (await second.app.inject('/api/scripts?search=distant')).json<{ scripts: { id: number }[] }>().scripts
    await expect.poll(titles).toHaveLength(1)
    await change(id, { title: 'Near' })
    await expect.poll(titles).toEqual([])
  })

  test('always increases updated_at, also for concurrent changes', async () => {
    const id = await publish(site, member)
    const scripts = await Promise.all(Array.from({ length: 20 }, (_, n) => change(id, {}, n % 2 ? site : second)))
    const times = scripts.map(({ updated_at }) => updated_at)
    expect(new Set(times).size).toBe(20)
    expect((await change(id, {})).updated_at > (times.toSorted().at(-1) ?? '')).toBe(true)
  })
})

test('a change increases updated_at even if the clock went back', async () => {
  const id = await publish(site, member)
  await sql`update scripts set updated_at = now() + interval '1 hour' where id = ${id}`.execute(site.db)
  const times = [await change(id, {}), await change(id, {}), await change(id, {})].map(({ updated_at }) => updated_at)
  expect(times.map((time) => Date.parse(time) - Date.parse(times[0] ?? ''))).toEqual([0, 1, 2])
})

describe('concurrent changes', () => {
  test.each([1, 2, 3, 4, 5])('from the same state: one succeeds, the others conflict, round %d', async () => {
    const id = await publish(site, member)
    const { updated_at: base_updated_at } = await change(id, {})
    const titles = Array.from({ length: 20 }, (_, n) => `Title ${n}`)
    const responses = await Promise.all(
      titles.map((title, n) => sendChange(n % 2 ? site : second, member, id, { title, base_updated_at })),
    )
    const codes = responses.map(({ statusCode }) => statusCode)
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(409)])
    const conflict = responses[codes.indexOf(409)]?.json<{ code: string; error: string }>()
    expect(conflict).toMatchObject({
      code: 'changed_meanwhile',
      error: expect.stringContaining('changed since you opened it'),
    })
    expect((await change(id, {})).title).toBe(titles[codes.indexOf(200)])
  })

  test('without a base state: all succeed, the last one wins, and every version is stored', async () => {
    const id = await publish(site, member)
    const codes = Array.from({ length: 20 }, (_, n) => `return ${n + 2}`)
    const scripts = await Promise.all(
      codes.map((script_content, n) => change(id, { script_content }, n % 2 ? site : second)),
    )
    const last = scripts.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0]
    expect((await change(id, {})).script_content).toBe(last?.script_content)
    const stored = (await site.app.inject(`/api/script-versions?id=${id}`)).json<{ versions: { number: number }[] }>()
    expect(stored.versions.map(({ number }) => number)).toEqual(Array.from({ length: 21 }, (_, n) => 21 - n))
  })

  test('succeed from the state that an earlier change returned, and conflict from an older one', async () => {
    const id = await publish(site, member)
    const first = await change(id, { title: 'One' })
    expect(await change(id, { title: 'Two', base_updated_at: first.updated_at })).toMatchObject({ title: 'Two' })
    const late = await sendChange(site, member, id, { title: 'Three', base_updated_at: first.updated_at })
    expect(late.statusCode).toBe(409)
  })

  test('leave nothing behind if the script is deleted at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await publish(site, member, { tags: ['shared'] })
      const saves = Array.from({ length: 6 }, (_, n) =>
        sendChange(n % 2 ? site : second, member, id, { script_content: `return ${n}`, tags: [`t${n}`, 'shared'] }),
      )
      const deletes = [sendDelete(site, member, id), sendDelete(second, member, id)]
      const codes = (await Promise.all(saves)).map(({ statusCode }) => statusCode)
      expect(codes.every((code) => code === 200 || code === 404)).toBe(true)
      const deleted = (await Promise.all(deletes)).map(({ statusCode }) => statusCode)
      expect(deleted.toSorted((a, b) => a - b)).toEqual([200, 404])
      expect((await site.app.inject(`/api/script-details-slug?slug=x-${id}`)).statusCode).toBe(404)
    }
  })
})

describe('deleting a script', () => {
  test('confirms it, removes everything that belongs to the script, and succeeds once', async () => {
    const id = await publish(site, member, { title: 'Doomed', tags: ['doom'] })
    await change(id, { script_content: 'return 2' })
    await site.app.inject(`/raw/x-${id}`)
    await site.visits.flush()
    const response = await sendDelete(site, member, id)
    expect([response.statusCode, response.json()]).toEqual([200, { message: 'Script deleted.' }])
    expect((await sendDelete(site, member, id)).statusCode).toBe(404)
    expect((await sendChange(site, member, id, { title: 'x' })).statusCode).toBe(404)
    expect((await site.app.inject('/api/scripts?search=doomed')).json<{ scripts: [] }>().scripts).toEqual([])
    expect((await site.app.inject('/api/script-tags')).payload).not.toContain('doom')
    expect(await findInconsistencies(site.db)).toEqual([])
  })
})
