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
const checkWhole = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkWhole()
  await second.close()
  await site.close()
})

const change = async (id: number, body: object, app = site): Promise<Script> => {
  const answer = await sendChange(app, member, id, body)
  expect(answer.statusCode, answer.payload).toBe(200)
  return answer.json<{ script: Script }>().script
}

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

describe('a change', () => {
  test('answers the whole script in its new state', async () => {
    const id = await publish(site, member)
    const answer = await sendChange(site, member, id, { title: 'New', description: 'd'.repeat(3000), tags: ['x'] })
    expect(Value.Check(scriptOperations['PUT /api/script-details'].response[200], answer.json())).toBe(true)
    const { script } = answer.json<{ script: Script }>()
    expect(script).toMatchObject({ id, title: 'New', slug: `new-${id}`, script_content: 'return 1' })
    expect(script.description).toHaveLength(3000)
    expect(script.tags.map(({ name }) => name)).toEqual(['x'])
  })

  test('leaves alone what it leaves out', async () => {
    const whole = {
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
    const id = await publish(site, member, whole)
    const before = await change(id, {})
    for (const field of ['is_free', 'is_client_side', 'is_working', 'is_mobile_compatible', 'is_public'] as const) {
      const { updated_at: _one, ...now } = await change(id, { [field]: true })
      const { updated_at: _other, ...former } = { ...before, [field]: true }
      expect(now).toEqual(former)
      await change(id, { [field]: false })
    }
  })

  test('of a switch takes along what stood behind it', async () => {
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

  test('of what stands behind a switch that is off is left out', async () => {
    const id = await publish(site, member)
    const script = await change(id, { key_system_url: 'https://keys.example/', game_id: '7' })
    expect(script).toMatchObject({ key_system_url: null, game_id: null, has_key_system: false, is_universal: true })
  })

  test('of the cover sets it, keeps it under its address, and takes it away', async () => {
    const id = await publish(site, member)
    const { image } = await change(id, { image: PIXEL })
    expect(image).toMatch(/^\/media\//)
    expect((await change(id, { title: 'Other' })).image).toBe(image)
    expect((await change(id, { image })).image).toBe(image)
    expect((await change(id, { image: '' })).image).toBe('')
  })

  test('of tags replaces them all', async () => {
    const id = await publish(site, member, { tags: ['a', 'b'] })
    expect((await change(id, { tags: '["c","a"]' })).tags.map(({ name }) => name)).toEqual(['c', 'a'])
    expect((await change(id, { tags: [] })).tags).toEqual([])
  })

  test('shows at once in lists, searches, tags and by the words it takes away', async () => {
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

  test('reaches the lists of another server by the feed', async () => {
    const id = await publish(site, member, { title: 'Distant' })
    const titles = async () =>
      (await second.app.inject('/api/scripts?search=distant')).json<{ scripts: { id: number }[] }>().scripts
    await expect.poll(titles).toHaveLength(1)
    await change(id, { title: 'Near' })
    await expect.poll(titles).toEqual([])
  })

  test('always moves updated_at on, however fast they come', async () => {
    const id = await publish(site, member)
    const scripts = await Promise.all(Array.from({ length: 20 }, (_, n) => change(id, {}, n % 2 ? site : second)))
    const times = scripts.map(({ updated_at }) => updated_at)
    expect(new Set(times).size).toBe(20)
    expect((await change(id, {})).updated_at > (times.toSorted().at(-1) ?? '')).toBe(true)
  })
})

test('moves updated_at on when the clock went back', async () => {
  const id = await publish(site, member)
  await sql`update scripts set updated_at = now() + interval '1 hour' where id = ${id}`.execute(site.db)
  const times = [await change(id, {}), await change(id, {}), await change(id, {})].map(({ updated_at }) => updated_at)
  expect(times.map((time) => Date.parse(time) - Date.parse(times[0] ?? ''))).toEqual([0, 1, 2])
})

describe('two who save at once', () => {
  test.each([1, 2, 3, 4, 5])('from the same state: one does, the other is told, round %d', async () => {
    const id = await publish(site, member)
    const { updated_at: base_updated_at } = await change(id, {})
    const titles = Array.from({ length: 20 }, (_, n) => `Title ${n}`)
    const answers = await Promise.all(
      titles.map((title, n) => sendChange(n % 2 ? site : second, member, id, { title, base_updated_at })),
    )
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(409)])
    const response = answers[codes.indexOf(409)]?.json<{ code: string; error: string }>()
    expect(response).toMatchObject({
      code: 'changed_meanwhile',
      error: expect.stringContaining('changed since you opened it'),
    })
    expect((await change(id, {})).title).toBe(titles[codes.indexOf(200)])
  })

  test('without saying from which state: all do, the last one wins, and every version is kept', async () => {
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

  test('from the present state as another request wrote it goes through', async () => {
    const id = await publish(site, member)
    const first = await change(id, { title: 'One' })
    expect(await change(id, { title: 'Two', base_updated_at: first.updated_at })).toMatchObject({ title: 'Two' })
    const late = await sendChange(site, member, id, { title: 'Three', base_updated_at: first.updated_at })
    expect(late.statusCode).toBe(409)
  })

  test('and one who deletes: nothing is left, whoever comes first', async () => {
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

describe('deleting', () => {
  test('says so, takes everything along and is done once', async () => {
    const id = await publish(site, member, { title: 'Doomed', tags: ['doom'] })
    await change(id, { script_content: 'return 2' })
    await site.app.inject(`/raw/x-${id}`)
    await site.visits.flush()
    const answer = await sendDelete(site, member, id)
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Script deleted.' }])
    expect((await sendDelete(site, member, id)).statusCode).toBe(404)
    expect((await sendChange(site, member, id, { title: 'x' })).statusCode).toBe(404)
    expect((await site.app.inject('/api/scripts?search=doomed')).json<{ scripts: [] }>().scripts).toEqual([])
    expect((await site.app.inject('/api/script-tags')).payload).not.toContain('doom')
    expect(await findInconsistencies(site.db)).toEqual([])
  })
})
