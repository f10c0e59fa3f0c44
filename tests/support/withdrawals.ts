import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Script, ScriptVersion } from '#contract/scripts.ts'
import type { Withdrawal } from '#contract/versions.ts'
import type { TestApp } from './app.ts'
import { makeMember, signIn } from './factories.ts'
import { publish, sendChange, type SignedIn } from './scripts.ts'

/** Code that sends messages to a webhook, and what a first version declares of it. */
export const WEBHOOK = 'game:GetService("HttpService"):PostAsync("https://discord.com/api/webhooks/1/x", "hi")'
const DECLARED = { declared_capabilities: ['net.send', 'net.webhook'], declared_hosts: ['discord.com'] }

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
let serial = 0
/** Code that no other test has. */
export const makeCode = (): string => `return ${++serial}`

export const codeOf = (response: { json: () => { code: string }; statusCode: number }): [number, string] => [
  response.statusCode,
  response.json().code,
]

/** A new author, and what they do with their scripts. */
export async function makeAuthor(site: TestApp) {
  const memberId = await makeMember(site.db)
  const author: SignedIn = await signIn(site.db, memberId)
  const send = (method: 'POST' | 'PUT', url: string, payload: object, headers: object = author) =>
    site.app.inject({ method, url, headers: { ...headers }, payload })
  const withdraw = (id: number, number: number, fields: object = {}, by: object = author) =>
    send('POST', '/api/version-withdraw', { script_id: id, number, reason: 'It deletes saved games.', ...fields }, by)
  const raw = async (id: number, query = '') => {
    const { statusCode, body } = await site.app.inject(`/raw/x-${id}${query}`)
    return [statusCode, body] as const
  }
  const versionsOf = async (id: number, by: object = {}) =>
    (await site.app.inject({ url: `/api/script-versions?id=${id}`, headers: { ...by } })).json<{
      versions: ScriptVersion[]
    }>().versions
  const change = async (id: number, body: object) => {
    const response = await sendChange(site, author, id, body)
    expect(response.statusCode, response.payload).toBe(200)
  }
  return {
    memberId,
    author,
    send,
    withdraw,
    raw,
    versionsOf,
    change,
    withdrawn: async (id: number, number: number, fields: object = {}, by: object = author): Promise<Withdrawal> => {
      const response = await withdraw(id, number, fields, by)
      expect(response.statusCode, response.body).toBe(200)
      return response.json<{ withdrawal: Withdrawal }>().withdrawal
    },
    statusOf: async (id: number, query = '') => (await raw(id, query))[0],
    /** Of all versions, the first one first. */
    statesOf: async (id: number) => (await versionsOf(id, author)).map(({ state }) => state).toReversed(),
    scriptOf: async (id: number, by: object = {}) => {
      const response = await site.app.inject({ url: `/api/script-details-slug?slug=x-${id}`, headers: { ...by } })
      return response.json<{ script: Script; code: string; error: string }>()
    },
    /** A public script with these versions. */
    make: async (...codes: string[]): Promise<number> => {
      const [first = makeCode(), ...later] = codes
      const id = await publish(site, author, { script_content: first, ...DECLARED })
      for (const script_content of later) await change(id, { script_content })
      return id
    },
  }
}

export type Author = Awaited<ReturnType<typeof makeAuthor>>
