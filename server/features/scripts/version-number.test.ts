import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Script, ScriptVersion } from '#contract/scripts.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { signIn } from '#tests/support/factories.ts'
import { publish, sendChange, sendRestore, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
let member: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  member = await signIn(site.db)
})
afterAll(() => site.close())

const numbersOf = async (id: number): Promise<string[]> => {
  const response = await site.app.inject({ url: `/api/script-versions?id=${id}`, headers: member })
  return response.json<{ versions: ScriptVersion[] }>().versions.map(({ version }) => version)
}
const put = (id: number, payload: object) =>
  site.app.inject({ method: 'PUT', url: `/api/v1/scripts/x-${id}/versions`, headers: member, payload })
const patch = (id: number, payload: object) =>
  site.app.inject({ method: 'PATCH', url: `/api/v1/scripts/x-${id}`, headers: member, payload })
const change = (id: number, body: object) => sendChange(site, member, id, body)

const PUBLISHED = 'Version 1.0.0 is already published. Choose another number, such as 1.1.1.'

describe('a used version number', () => {
  test.each([
    ['an edit', change],
    ['an edit by the stable API', patch],
    ['a pushed version', put],
  ])('is rejected with a sentence for %s', async (_, send) => {
    const id = await publish(site, member)
    expect((await send(id, { script_content: 'return 2', version: '1.1.0' })).statusCode).toBeLessThan(300)
    for (const version of ['1.0.0', ' 1.0.0 ']) {
      const response = await send(id, { script_content: 'return 3', version })
      expect([response.statusCode, response.json()]).toMatchObject([
        409,
        { error: PUBLISHED, code: 'version_exists', fields: { version: PUBLISHED } },
      ])
    }
    expect(await numbersOf(id)).toEqual(['1.1.0', '1.0.0'])
  })

  test('is rejected in another case or width, and without new code', async () => {
    const id = await publish(site, member, { version: 'v1-rc' })
    await change(id, { script_content: 'return 2', version: '2' })
    for (const version of ['V1-RC', 'ｖ1-rc']) {
      expect((await change(id, { version })).json()).toMatchObject({ code: 'version_exists' })
    }
    expect(await numbersOf(id)).toEqual(['2', 'v1-rc'])
  })

  test('that is the current one is rejected for pushed code, and counts as omitted in an edit', async () => {
    const id = await publish(site, member)
    expect((await put(id, { script_content: 'return 2', version: '1.0.0' })).json()).toMatchObject({
      code: 'version_exists',
    })
    const saved = await change(id, { title: 'Form', version: '1.0.0', script_content: 'return 2', tags: [] })
    expect(saved.json<{ script: Script }>().script).toMatchObject({ version: '1.0.1', script_content: 'return 2' })
    expect(await numbersOf(id)).toEqual(['1.0.1', '1.0.0'])
  })
})

describe('without a version number', () => {
  test('new code gets the next one, whichever way it comes', async () => {
    const id = await publish(site, member)
    await change(id, { script_content: 'return 2' })
    await put(id, { script_content: 'return 3' })
    await patch(id, { script_content: 'return 4' })
    await sendRestore(site, member, { script_id: id, number: 1 })
    expect(await numbersOf(id)).toEqual(['1.0.4', '1.0.3', '1.0.2', '1.0.1', '1.0.0'])
  })

  test.each([
    ['beta', 'beta-2'],
    ['v9', 'v10'],
    ['9'.repeat(20), '1'],
  ])('a version after %s is %s', async (version, next) => {
    const id = await publish(site, member, { version })
    await change(id, { script_content: 'return 2' })
    expect(await numbersOf(id)).toEqual([next, version])
  })
})

test('versions published at once get different numbers, and only one gets a number that several ask for', async () => {
  const id = await publish(site, member)
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, i) => [
      put(id, { script_content: `return "a${i}"` }),
      change(id, { script_content: `return "b${i}"` }),
      put(id, { script_content: `return "c${i}"`, version: '7.0' }),
    ]).flat(),
  )
  const numbers = await numbersOf(id)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.filter((version) => version === '7.0')).toHaveLength(1)
  expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(5)
})

test('numbers that several versions have already stay readable, and are not used again', async () => {
  const id = await publish(site, member)
  await change(id, { script_content: 'return 2' })
  await site.pool.query("update script_versions set version = '1.0.0' where script_id = $1", [id])
  await site.pool.query("update scripts set version = '1.0.0' where id = $1", [id])
  expect(await numbersOf(id)).toEqual(['1.0.0', '1.0.0'])
  const read = await site.app.inject(`/api/script-version?id=${id}&number=1`)
  expect(read.json()).toMatchObject({ version: { version: '1.0.0', script_content: 'return 1' } })
  await change(id, { script_content: 'return 3' })
  expect(await numbersOf(id)).toEqual(['1.0.1', '1.0.0', '1.0.0'])
})
