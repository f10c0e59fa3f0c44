import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeScript } from '#tests/support/factories.ts'
import { refreshDocuments } from './search-document.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  await makeScript(site.db, { title: 'Hot 🔥', description: 'Written in C#.' })
  await makeScript(site.db, { title: '自动农场脚本', tags: ['ガード'] })
  await makeScript(site.db, { title: 'Straße', description: 'For node.js. Costs 1,000.' })
  await site.app.ready()
})
afterAll(() => site.close())

const find = async (search: string) => {
  const response = await site.app.inject(`/api/scripts?${new URLSearchParams({ search })}`)
  expect(response.statusCode, response.payload).toBe(200)
  const { scripts, pagination } = response.json<ScriptList>()
  expect(pagination.total).toBe(scripts.length)
  return scripts.map(({ title }) => title)
}

test.each([
  ['🔥', ['Hot 🔥']],
  ['c#', ['Hot 🔥']],
  ['农场', ['自动农场脚本']],
  ['カード', []],
  ['strasse', ['Straße']],
  ['nodejs 1000', ['Straße']],
  ['!!!', []],
  ['💧', []],
])('a search for %s finds %j', async (search, titles) => {
  expect(await find(search)).toEqual(titles)
})

test('documents of an earlier version are made again, and lists find the scripts', async () => {
  const id = await makeScript(site.db, { title: 'Łódź' })
  const outdated = { document: "'łodz':1A", is_outdated: true }
  await site.db.updateTable('script_search').set(outdated).where('script_id', '=', id).execute()
  await refreshDocuments(site.db)
  await expect.poll(() => find('lodz')).toEqual(['Łódź'])
  const rows = await site.db.selectFrom('script_search').select('is_outdated').distinct().execute()
  expect(rows).toEqual([{ is_outdated: false }])
})
