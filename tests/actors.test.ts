import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationName } from '#contract/operations.ts'
import { RIGHTS } from '#tests/actors/operations.ts'
import { fingerprint } from '#tests/actors/fingerprint.ts'
import { normalizeStatus } from '#tests/actors/rights.ts'
import { ACTORS, makeScene } from '#tests/actors/scene.ts'
import { send } from '#tests/actors/send.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    discord: { clientId: '1', clientSecret: 's', apiUrl: 'http://127.0.0.1:9', cdnUrl: '' },
  })
})
afterAll(() => site.close())

// Somebody else's id in the header changes nothing.
const FORGED = { 'user-id': '1' }

describe.each(Object.entries(RIGHTS) as [OperationName, (typeof RIGHTS)[OperationName]][])('%s', (name, right) => {
  test.each(ACTORS)('%s', async (actor) => {
    const scene = await makeScene(site, actor)
    const before = await fingerprint(site.pool)
    const answer = await send(site, name, right.call?.(scene) ?? {}, { ...scene.headers, ...FORGED })
    expect(normalizeStatus(answer.statusCode), answer.body).toBe(right.expected[actor])
    const after = answer.statusCode >= 400 ? await fingerprint(site.pool) : before
    expect(after).toBe(before)
  })
})

test('a token of the right form that nobody has is nobody', async () => {
  const headers = { authorization: `Bearer ${'A'.repeat(43)}` }
  expect((await send(site, 'GET /api/user-profile', {}, headers)).statusCode).toBe(401)
  expect((await send(site, 'GET /api/script-tags', {}, headers)).statusCode).toBe(200)
})
