import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_OPEN_WORK } from '#contract/limits.ts'
import type { OpenWork } from '#contract/reports.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeCase } from '#tests/support/reports.ts'

let portal: Portal
let moderator: Record<string, string>
beforeAll(async () => {
  portal = await createPortal()
  moderator = await signIn(portal.db, await makeMember(portal.db, { is_moderator: true }))
})
afterAll(() => portal.close())

const read = async (headers?: Record<string, string>) => (await portal.get<OpenWork>('/api/open-work', headers)).body

test('counts cases and appeals that wait, held versions and, for admins, failed jobs', async () => {
  const { db } = portal
  expect(await read()).toEqual({ cases: 0, held_versions: 0, failed_jobs: 0 })

  const members = await Promise.all(Array.from({ length: 5 }, () => makeMember(db)))
  const [open = 0, claimed = 0, appealed = 0, decided = 0, ended = 0] = members
  await makeCase(db, { subject_id: open })
  await makeCase(db, { subject_id: claimed, status: 'claimed', claimed_by: portal.adminId })
  const decision = { status: 'resolved', decided_by: portal.adminId, decided_at: new Date(), decision: 'No.' }
  await makeCase(db, {
    subject_id: appealed,
    ...decision,
    appeal: 'Yes.',
    appeal_status: 'open',
    appealed_at: new Date(),
  })
  await makeCase(db, { subject_id: decided, ...decision })
  await makeCase(db, { subject_id: ended, status: 'ended', ended_note: 'It ended.' })
  await sql`update script_versions set state = 'held', hold_reasons = '[]'
    where script_id = ${await makeScript(db)}`.execute(db)
  await sql`select jobs.create_queue('dead-letters', '{"policy":"standard"}')`.execute(db)
  await sql`insert into jobs.job (name) values ('dead-letters'), ('dead-letters')`.execute(db)

  expect(await read()).toEqual({ cases: 3, held_versions: 1, failed_jobs: 2 })
  expect(await read(moderator)).toEqual({ cases: 3, held_versions: 1, failed_jobs: null })
})

test('stops counting at a limit', async () => {
  await sql`insert into jobs.job (name) select 'dead-letters' from generate_series(1, ${MAX_OPEN_WORK})`.execute(
    portal.db,
  )
  expect((await read()).failed_jobs).toBe(MAX_OPEN_WORK)
})
