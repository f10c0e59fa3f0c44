import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RelatedScripts, ScriptList, SearchSuggestions } from '#contract/catalogue.ts'
import type { Analyzer } from '#server/features/behavior/analyze.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeScript } from '#tests/support/factories.ts'
import { Author, HARMLESS, type Put, REMOTE, signInModerator, unique, WEBHOOK } from '#tests/support/releases.ts'
import { checkVersions, sendChange, sendRelease, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
let author: Author
let moderator: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  author = await Author.create(site)
  moderator = await signInModerator(site)
})
afterAll(() => site.close())

const read = async <T>(url: string) => (await site.app.inject(url)).json<T>()
const warningOf = async (id: number) => {
  const { scripts } = await read<ScriptList>('/api/scripts?limit=100')
  return scripts.find((script) => script.id === id)?.warning
}

/** Sends a version that moderators publish if it is held. */
const update = async (id: number, payload: object, analyzer: Partial<Analyzer> = {}) => {
  const { version } = (await author.put(id, payload)).json<Put>()
  await checkVersions(site, analyzer)
  if (version.state === 'held') await sendRelease(site, moderator, id, version.number)
}

test('a card warns of what the current version does, not of what a held one would do', async () => {
  const id = await author.make()
  await update(id, { script_content: unique(HARMLESS) })
  expect(await warningOf(id)).toBeNull()
  const { version } = (await author.put(id, { script_content: unique(REMOTE) })).json<Put>()
  expect([version.state, await warningOf(id)]).toEqual(['held', null])
  await sendRelease(site, moderator, id, version.number)
  expect(await warningOf(id)).toEqual({ id: 'code.remote', is_declared: false })
})

test('a card follows the declaration, without a new version', async () => {
  const id = await author.make()
  await update(id, { script_content: unique(WEBHOOK) })
  expect(await warningOf(id)).toEqual({ id: 'net.webhook', is_declared: false })
  await sendChange(site, author.headers, id, { declared_capabilities: ['net.webhook'] })
  expect(await warningOf(id)).toEqual({ id: 'net.webhook', is_declared: true })
})

test('a card of code that does not compile says so', async () => {
  const id = await author.make()
  const compile = async () => ({ compiles: false, error: { line: 1, column: 7, message: 'Expected a name' } })
  await update(id, { script_content: unique(HARMLESS) }, { compile })
  expect(await warningOf(id)).toEqual({ id: 'compile_error', is_declared: false })
})

test('suggestions and related scripts have the same warning', async () => {
  const id = await author.make()
  await update(id, { script_content: unique(REMOTE) })
  const other = await makeScript(site.db, { author_id: author.memberId, title: 'Another' })
  const { titles } = await read<SearchSuggestions>('/api/search-suggestions?q=lamp')
  const { by_author } = await read<RelatedScripts>(`/api/related-scripts?id=${other}`)
  const warning = { id: 'code.remote', is_declared: false }
  expect(titles.find((script) => script.id === id)).toMatchObject({ warning })
  expect(by_author).toContainEqual(expect.objectContaining({ warning }))
})
