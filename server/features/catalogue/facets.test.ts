import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FLAGS, type Flag, partnerOf } from '#contract/catalogue-names.ts'
import type { Facets, ScriptList, TagCount } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  const author_id = await makeMember(site.db)
  for (let number = 0; number < 40; number++) {
    const bit = (position: number) => (Math.imul(number + 1, 2_654_435_761) >>> position) % 2 === 0
    await makeScript(site.db, {
      author_id,
      title: `Script ${number % 5}`,
      tags: ['all', `mod${number % 4}`],
      is_free: bit(3),
      is_universal: bit(5),
      is_client_side: bit(7),
      has_key_system: bit(9),
      is_featured: bit(11),
      is_verified: bit(13),
      is_mobile_compatible: bit(15),
      is_working: bit(17),
      showcase_date: bit(19) ? new Date() : null,
    })
  }
})
afterAll(() => site.close())

const get = async <T>(path: string) => (await site.app.inject(path)).json<T>()
const turnOn = (flags: Flag[], flag: Flag) => [...new Set([...flags.filter((on) => on !== partnerOf(flag)), flag])]
const queryOf = (flags: Flag[], rest: string) => `${flags.map((flag) => `${flag}=true`).join('&')}&${rest}`

test('each flag count equals the total of the list with that flag', async () => {
  const rest = fc.constantFrom('', 'search=script', 'search=3', 'tags=mod1', 'tags=all,mod2&search=script')
  await fc.assert(
    fc.asyncProperty(
      fc.subarray([...FLAGS], { maxLength: 3 }),
      fc.constantFrom(...FLAGS),
      rest,
      async (on, flag, text) => {
        const facets = await get<Facets>(`/api/script-facets?${queryOf(on, text)}`)
        const current = await get<ScriptList>(`/api/scripts?${queryOf(on, text)}`)
        const filtered = await get<ScriptList>(`/api/scripts?${queryOf(turnOn(on, flag), text)}`)
        expect(facets.total).toBe(current.pagination.total)
        expect(facets.flags[flag]).toBe(filtered.pagination.total)
      },
    ),
    { numRuns: 60 },
  )
})

test('tags are counted within the filtered scripts, most used first', async () => {
  const { tags } = await get<Facets>('/api/script-facets?tags=mod1')
  expect(tags.map(({ name, count }) => [name, count])).toEqual([
    ['all', 10],
    ['mod1', 10],
  ])
})

test('private scripts and scripts of banned authors are never counted', async () => {
  const [facets, tags, list] = [
    await get<Facets>('/api/script-facets'),
    await get<{ tags: TagCount[] }>('/api/script-tags'),
    await get<ScriptList>('/api/scripts'),
  ]
  const hidden = [
    await makeScript(site.db, { is_public: false, tags: ['all', 'hidden'] }),
    await makeScript(site.db, {
      author_id: await makeMember(site.db, { banned_until: 'infinity' }),
      tags: ['all', 'hidden'],
    }),
  ]
  site.catalogue.invalidate(hidden)
  expect(await get('/api/script-facets')).toEqual(facets)
  expect(await get('/api/script-tags')).toEqual(tags)
  expect(await get('/api/scripts')).toEqual(list)
})

test('tags are listed with their counts, most used first, then by name', async () => {
  const { tags } = await get<{ tags: TagCount[] }>('/api/script-tags')
  expect(tags.map(({ name, count }) => [name, count])).toEqual([
    ['all', 40],
    ['mod0', 10],
    ['mod1', 10],
    ['mod2', 10],
    ['mod3', 10],
  ])
})

test('facets contain at most the 20 most used tags', async () => {
  const author_id = await makeMember(site.db)
  for (let number = 0; number < 11; number++) {
    const tags = Array.from({ length: 9 }, (_, n) => `rare${number}-${n}`)
    site.catalogue.invalidate([await makeScript(site.db, { author_id, tags: ['many', ...tags] })])
  }
  const facets = await get<Facets>(`/api/script-facets?author=${author_id}`)
  expect(facets.tags).toHaveLength(20)
  expect(facets.tags[0]).toMatchObject({ name: 'many', count: 11 })
})
