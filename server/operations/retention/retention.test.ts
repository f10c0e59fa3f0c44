import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember } from '#tests/support/factories.ts'
import { deleteDueData, describeRetention } from './retention.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

test('rows in use stay, and do not delay the others', async () => {
  for (const name of ['used', 'free'])
    await sql`insert into limit_uses (name, key, uses, expires_at) values (${name}, 'a', array[now()], now() - interval '1 day')`.execute(
      site.db,
    )
  const names = async () => (await sql<{ name: string }>`select name from limit_uses`.execute(site.db)).rows
  await site.db.transaction().execute(async (trx) => {
    await sql`select from limit_uses where name = 'used' for update`.execute(trx)
    await deleteDueData(site.db)
    expect(await names()).toEqual([{ name: 'used' }])
  })
  await deleteDueData(site.db)
  expect(await names()).toEqual([])
})

test('a rule that fails does not stop the others', async () => {
  const memberId = await makeMember(site.db)
  await sql`insert into publish_keys (member_id, key, body_sha256, created_at)
    values (${memberId}, 'a', sha256(''), now() - interval '2 days')`.execute(site.db)
  await sql`alter table sign_ins rename to moved`.execute(site.db)
  await expect(deleteDueData(site.db)).rejects.toThrow('sign_ins')
  await sql`alter table moved rename to sign_ins`.execute(site.db)
  expect((await sql`select from publish_keys`.execute(site.db)).rows).toEqual([])
})

test('the documentation describes all rules', async () => {
  await expect(describeRetention()).toMatchFileSnapshot('../../../docs/retention.md')
})
