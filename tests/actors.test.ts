import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountOperations } from '#contract/accounts.ts'
import { adminOperations } from '#contract/admin.ts'
import { behaviorStaffOperations } from '#contract/behavior-staff.ts'
import { jobOperations } from '#contract/jobs.ts'
import { type OperationName, operations } from '#contract/operations.ts'
import { reportOperations } from '#contract/reports.ts'
import { RIGHTS } from '#tests/actors/expected.ts'
import { normalizeStatus } from '#tests/actors/rights.ts'
import { ACTORS, type Actor, makeScene, type Scene } from '#tests/actors/scene.ts'
import { send } from '#tests/actors/send.ts'
import {
  expectedFor,
  isNeverValid,
  makeTokenScene,
  scopeOf,
  TOKEN_ACTORS,
  type TokenActor,
} from '#tests/actors/tokens.ts'
import { startWriteLog, takeWrites } from '#tests/support/write-log.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { EMAIL } from '#tests/support/email.ts'
import { makeMember } from '#tests/support/factories.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    email: EMAIL,
    discord: { clientId: '1', clientSecret: 's', apiUrl: 'http://127.0.0.1:9', cdnUrl: '' },
  })
  await startWriteLog(site.pool)
})
afterAll(() => site.close())

// Another member's id in a header must have no effect.
const FORGED = { 'user-id': '1' }

const shared = new Map<Actor, Scene>()

/** Reads and rejected requests change nothing, but webhooks of the site are removed when later scenes are made. */
const isShared = (name: OperationName, expected: number): boolean =>
  expected >= 400 || (name.startsWith('GET ') && !name.includes('site-webhook'))

async function getSharedScene(actor: Actor): Promise<Scene> {
  const scene = shared.get(actor) ?? (await makeScene(site, actor))
  shared.set(actor, scene)
  return scene
}

const sharedTokens = new Map<string, Scene>()

/** Tokens that are authenticated depend on the scope of the operation. */
async function getSharedToken(name: OperationName, actor: TokenActor): Promise<Scene> {
  const key = isNeverValid(actor) ? actor : `${actor}, ${scopeOf(name)}`
  const scene = sharedTokens.get(key) ?? (await makeTokenScene(site, name, actor))
  sharedTokens.set(key, scene)
  return scene
}

describe.each(Object.entries(RIGHTS) as [OperationName, (typeof RIGHTS)[OperationName]][])('%s', (name, right) => {
  test.each(ACTORS)('%s', async (actor) => {
    const isRejected = right.expected[actor] >= 400
    const scene = await (isShared(name, right.expected[actor]) ? getSharedScene(actor) : makeScene(site, actor))
    if (isRejected) await takeWrites(site.pool)
    const response = await send(site, name, right.call?.(scene) ?? {}, { ...scene.headers, ...FORGED })
    expect(normalizeStatus(response.statusCode), response.body).toBe(right.expected[actor])
    expect(isRejected ? await takeWrites(site.pool) : []).toEqual([])
  })

  test.each(Object.keys(TOKEN_ACTORS) as TokenActor[])('%s', async (actor) => {
    const expected = expectedFor(name, right.expected, actor)
    const isRejected = expected >= 400
    const scene = await (isShared(name, expected) ? getSharedToken(name, actor) : makeTokenScene(site, name, actor))
    if (isRejected) await takeWrites(site.pool)
    const response = await send(site, name, right.call?.(scene) ?? {}, { ...scene.headers, ...FORGED })
    expect(normalizeStatus(response.statusCode), response.body).toBe(expected)
    const isChallenged = String(response.headers['www-authenticate']).startsWith('Bearer')
    expect(isChallenged).toBe(expected === 401 || response.body.includes('"insufficient_scope"'))
    expect(isRejected ? await takeWrites(site.pool) : []).toEqual([])
  })
})

test('no operation of the staff, of accounts or of tokens has a scope', () => {
  const scoped = Object.entries(operations).filter(([, operation]) => 'scope' in operation)
  const protectedOnes = {
    ...accountOperations,
    ...adminOperations,
    ...jobOperations,
    ...behaviorStaffOperations,
    ...reportOperations,
  }
  expect(scoped.map(([name]) => name).filter((name) => name in protectedOnes)).toEqual([])
  const named = scoped
    .map(([name]) => name)
    .filter((name) => /token|session|account|settings|user-profiles|giveaway/.test(name))
  expect(named).toEqual(['GET /api/token'])
})

test('the write log records a write', async () => {
  const id = await makeMember(site.db)
  await takeWrites(site.pool)
  await site.db.updateTable('members').set({ bio: 'Written.' }).where('id', '=', id).execute()
  expect(await takeWrites(site.pool)).toContainEqual({ table_name: 'members', operation: 'UPDATE' })
})

test('treats a request with an unknown, well-formed token as a visitor', async () => {
  const headers = { authorization: `Bearer ${'A'.repeat(43)}` }
  expect((await send(site, 'GET /api/user-profile', {}, headers)).statusCode).toBe(401)
  expect((await send(site, 'GET /api/script-tags', {}, headers)).statusCode).toBe(200)
})
