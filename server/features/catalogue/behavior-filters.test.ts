import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CAPABILITY_IDS } from '#contract/behavior-names.ts'
import type { Facets, ScriptList } from '#contract/catalogue.ts'
import type { Problem } from '#contract/operation.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import type { NaiveBehavior } from '#tests/support/naive-catalogue.ts'
import { writeBehavior } from '#tests/support/random-catalogue.ts'
import { queryKey, readQuery } from './query.ts'

const READY: NaiveBehavior = { status: 'ready', compiles: true, capabilities: [], hosts: [] }

let site: TestApp
let author: number
beforeAll(async () => {
  site = await createTestApp()
  author = await makeMember(site.db)
  const make = async (title: string, behavior?: Partial<NaiveBehavior>) => {
    const id = await makeScript(site.db, { title, author_id: author })
    if (behavior) await writeBehavior(site.db, id, { ...READY, ...behavior })
    return id
  }
  site.catalogue.invalidate([
    await make('quiet'),
    await make('pure', {}),
    await make('sender', {
      capabilities: ['net.send', 'net.webhook', 'needs.executor'],
      hosts: ['ptb.discord.com', 'pastebin.com'],
    }),
    await make('loader', {
      compiles: false,
      capabilities: ['net.get', 'code.remote'],
      hosts: ['raw.githubusercontent.com'],
    }),
    await make('hidden code', { compiles: null, capabilities: ['shape.obfuscated'], hosts: ['notdiscord.com'] }),
    await make('waiting', { status: 'pending', capabilities: ['net.get'], hosts: ['discord.com'] }),
    await make('broken', { status: 'failed', capabilities: ['net.get'], hosts: ['discord.com'] }),
  ])
})
afterAll(() => site.close())

const list = async (query: string, headers = {}) =>
  (await site.app.inject({ url: `/api/scripts?sort=title&order=asc&${query}`, headers })).json<ScriptList>()
const titles = async (query: string) => {
  const { scripts, pagination } = await list(query)
  expect(pagination.total).toBe(scripts.length)
  return scripts.map(({ title }) => title)
}

describe('a list by behavior', () => {
  test.each([
    ['uses=net.get', ['loader']],
    ['uses=net.send,net.webhook', ['sender']],
    ['uses=net.send,net.get', []],
    ['lacks=net.send', ['hidden code', 'loader', 'pure']],
    ['lacks=net.send,code.remote', ['hidden code', 'pure']],
    ['lacks=fs.delete', ['hidden code', 'loader', 'pure', 'sender']],
    ['uses=net.get&lacks=net.get', []],
    ['host=discord.com', ['sender']],
    ['host=ptb.discord.com', ['sender']],
    ['host=cdn.discord.com', []],
    ['host=githubusercontent.com', ['loader']],
    ['host=pastebin.com,discord.com', ['sender']],
    ['host=pastebin.com,githubusercontent.com', []],
    ['no_remote_code=true', ['hidden code', 'pure', 'sender']],
    ['sends_no_data=true', ['hidden code', 'loader', 'pure']],
    ['readable_code=true', ['loader', 'pure', 'sender']],
    ['no_executor=true', ['hidden code', 'loader', 'pure']],
    ['compiles=true', ['pure', 'sender']],
    ['compiles=true&no_executor=true', ['pure']],
    ['search=host:PasteBin.com', ['sender']],
    ['search=pure+lacks:net.send', ['pure']],
    ['search=uses:net.get+code', []],
    ['search=code+lacks:net.get', ['hidden code']],
    ['search=uses:net.get&uses=code.remote', ['loader']],
  ])('%s has %j', async (query, expected) => {
    expect(await titles(query)).toEqual(expected)
  })

  test('is the same from SQL, for authors, who see private scripts too', async () => {
    const headers = await signIn(site.db, author)
    const { scripts } = await list(`author=${author}&lacks=net.send&host=githubusercontent.com`, headers)
    expect(scripts.map(({ title }) => title)).toEqual(['loader'])
  })

  test('has facets that equal the totals of lists', async () => {
    const facets = (await site.app.inject('/api/script-facets?lacks=code.remote')).json<Facets>()
    expect(facets.total).toBe(3)
    expect(facets.flags).toMatchObject({ no_remote_code: 3, sends_no_data: 2, compiles: 2, no_executor: 2 })
    expect(Object.keys(facets.behavior)).toEqual(CAPABILITY_IDS)
    expect(facets.behavior).toMatchObject({ 'net.webhook': 1, 'code.remote': 0, 'shape.obfuscated': 1, 'net.get': 0 })
    const all = (await site.app.inject('/api/script-facets')).json<Facets>()
    expect(all.behavior['net.get']).toBe(1)
  })

  test('shows a new card, and forgets one that is not ready any more, within a second', async () => {
    const id = await makeScript(site.db, { title: 'late' })
    site.catalogue.invalidate([id])
    const find = () => titles('host=late.example')
    expect(await find()).toEqual([])
    await writeBehavior(site.db, id, { ...READY, hosts: ['api.late.example'] })
    await expect.poll(find, { timeout: 5000 }).toEqual(['late'])
    await writeBehavior(site.db, id, { ...READY, status: 'pending', hosts: ['api.late.example'] })
    await expect.poll(find, { timeout: 5000 }).toEqual([])
  })
})

test.each([
  ['uses=net.everything', 'uses', /Use known behaviors/],
  ['lacks=code.remote,x', 'lacks', /Use known behaviors/],
  ['host=not%20a%20host', 'host', /Enter the name of a host/],
  ['host=pastebin', 'host', /Enter the name of a host/],
  [`host=${Array.from({ length: 11 }, (_, i) => `h${i}.com`).join(',')}`, 'host', /at most 10 hosts/],
])('rejects %s with a sentence that says what to do', async (query, field, message) => {
  for (const path of ['scripts', 'script-facets']) {
    const response = await site.app.inject(`/api/${path}?${query}`)
    expect(response.statusCode).toBe(400)
    const { code, error, fields } = response.json<Problem>()
    expect({ code, fields: Object.keys(fields ?? {}) }).toEqual({ code: 'invalid', fields: [field] })
    expect(error).toMatch(message)
  }
})

test.each([
  [{ uses: 'net.send,net.get' }, { uses: 'net.get,net.send,net.get' }],
  [{ uses: 'net.get' }, { search: 'uses:NET.GET' }],
  [{ host: 'b.com,a.com' }, { host: 'A.com.', search: 'host:https://b.com/x' }],
  [{ search: 'sword', lacks: 'fs.read' }, { search: ' lacks:fs.read  Sword ' }],
])('%j and %j are one query', (one, other) => {
  const page = { sort: 'title', order: 'asc', page: 1, limit: 20 } as const
  expect(queryKey(readQuery({ ...page, ...one }))).toBe(queryKey(readQuery({ ...page, ...other })))
  expect(queryKey(readQuery({ ...page, ...one }))).not.toBe(queryKey(readQuery(page)))
})
