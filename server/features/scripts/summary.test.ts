import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Script } from '#contract/scripts.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { minimalScript, publish, sendChange, sendScript, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
let member: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  member = await signIn(site.db, await makeMember(site.db))
})
afterAll(() => site.close())

const change = async (id: number, body: object): Promise<Script> => {
  const response = await sendChange(site, member, id, body)
  expect(response.statusCode, response.payload).toBe(200)
  return response.json<{ script: Script }>().script
}
const search = async (words: string) => {
  const response = await site.app.inject(`/api/scripts?search=${encodeURIComponent(words)}`)
  return response.json<ScriptList>().scripts
}

test('a card has the author’s summary, or else the first sentence of the description', async () => {
  const description = 'Slides doors open. Closes them, too.'
  const own = await publish(site, member, { title: 'Own zinc', summary: '  Automatic\ndoors ', description })
  const none = await publish(site, member, { title: 'None zinc', description })
  const blank = await publish(site, member, { title: 'Blank zinc', description, summary: ' ' })
  const cards = await search('zinc')
  expect(Object.fromEntries(cards.map(({ id, summary }) => [id, summary]))).toEqual({
    [own]: 'Automatic doors',
    [none]: 'Slides doors open.',
    [blank]: 'Slides doors open.',
  })
})

test('the default summary follows the description until the author writes one, and returns when it is emptied', async () => {
  const id = await publish(site, member, { description: 'First. More.' })
  expect(await change(id, { description: 'Second. More.' })).toMatchObject({
    summary: 'Second.',
    summary_setting: null,
  })
  expect(await change(id, { summary: 'Mine' })).toMatchObject({ summary: 'Mine', summary_setting: 'Mine' })
  expect(await change(id, { description: 'Third. More.' })).toMatchObject({ summary: 'Mine' })
  expect(await change(id, { summary: '' })).toMatchObject({ summary: 'Third.', summary_setting: null })
})

test('a search finds the words of a summary, also after the author is renamed', async () => {
  const id = await publish(site, member, { summary: 'Wonderfully quokkas', description: 'Plain.' })
  expect((await search('quokka')).map((card) => card.id)).toEqual([id])
  const profile = await site.app.inject({
    method: 'PUT',
    url: '/api/user-profiles',
    headers: { 'content-type': 'application/json', ...member },
    payload: JSON.stringify({ display_name: 'Renamed author' }),
  })
  expect(profile.statusCode, profile.payload).toBe(200)
  expect((await search('quokka renamed')).map((card) => card.id)).toEqual([id])
  await change(id, { summary: null })
  expect(await search('quokka')).toEqual([])
})

test('a summary has at most 140 characters and no control characters', async () => {
  const send = (summary: unknown) => sendScript(site, member, { ...minimalScript, summary })
  expect((await send('😀'.repeat(140))).statusCode).toBe(201)
  const long = await send('x'.repeat(141))
  expect(long.statusCode).toBe(400)
  expect(long.json()).toMatchObject({ fields: { summary: 'Summary must have at most 140 characters.' } })
  expect((await send('a\u0007')).json()).toMatchObject({ code: 'invalid', fields: { summary: expect.any(String) } })
  expect((await send(7)).statusCode).toBe(400)
})
