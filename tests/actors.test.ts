import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationName } from '#contract/operations.ts'
import { RIGHTS } from '#tests/actors/operations.ts'
import { normalizeStatus } from '#tests/actors/rights.ts'
import { ACTORS, type Actor, makeScene, type Scene } from '#tests/actors/scene.ts'
import { send } from '#tests/actors/send.ts'
import { startWriteLog, takeWrites } from '#tests/support/write-log.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    discord: { clientId: '1', clientSecret: 's', apiUrl: 'http://127.0.0.1:9', cdnUrl: '' },
  })
  await startWriteLog(site.pool)
})
afterAll(() => site.close())

// Another member's id in a header must have no effect.
const FORGED = { 'user-id': '1' }

const shared = new Map<Actor, Scene>()

/** Rejected requests change nothing, so all rejected requests of an actor share one scene. */
async function getSharedScene(actor: Actor): Promise<Scene> {
  const scene = shared.get(actor) ?? (await makeScene(site, actor))
  shared.set(actor, scene)
  return scene
}

describe.each(Object.entries(RIGHTS) as [OperationName, (typeof RIGHTS)[OperationName]][])('%s', (name, right) => {
  test.each(ACTORS)('%s', async (actor) => {
    const isRejected = right.expected[actor] >= 400
    const scene = await (isRejected ? getSharedScene(actor) : makeScene(site, actor))
    await takeWrites(site.pool)
    const response = await send(site, name, right.call?.(scene) ?? {}, { ...scene.headers, ...FORGED })
    expect(normalizeStatus(response.statusCode), response.body).toBe(right.expected[actor])
    expect(isRejected ? await takeWrites(site.pool) : []).toEqual([])
  })
})

test('the write log records a write', async () => {
  await takeWrites(site.pool)
  await site.db.updateTable('members').set({ bio: 'Written.' }).execute()
  expect(await takeWrites(site.pool)).toContainEqual({ table_name: 'members', operation: 'UPDATE' })
})

test('treats a request with an unknown, well-formed token as a visitor', async () => {
  const headers = { authorization: `Bearer ${'A'.repeat(43)}` }
  expect((await send(site, 'GET /api/user-profile', {}, headers)).statusCode).toBe(401)
  expect((await send(site, 'GET /api/script-tags', {}, headers)).statusCode).toBe(200)
})
