import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackWithBodies } from '#lab/attack/hostile-bodies.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { signIn } from '#tests/support/factories.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

test('a site under attack by hostile bodies rejects them and serves everybody else', async () => {
  const tokens: string[] = []
  for (let n = 0; n < 3; n++) tokens.push((await signIn(site.db)).authorization.slice('Bearer '.length))
  const [honestToken = '', ...hostileTokens] = tokens
  const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const stats = await attackWithBodies({ origin, honestToken, hostileTokens, connections: 6, seconds: 3 })
  for (const { calls, failed } of [stats.healthz, stats.lists, stats.publishing]) {
    expect(calls).toBeGreaterThan(0)
    expect(failed).toBe(0)
  }
  const statuses = Object.keys(stats.attackers)
  expect(statuses).not.toEqual([])
  expect(statuses.filter((status) => !/^(200|4\d\d|503)$/.test(status))).toEqual([])
})
