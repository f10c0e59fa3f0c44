import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnReport } from '#contract/reports.ts'
import type { ResultOf } from '#contract/operations.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'

let portal: Portal
let reporter: Record<string, string>
let second: Record<string, string>
beforeAll(async () => {
  portal = await createPortal()
  reporter = await signIn(portal.db)
  second = await signIn(portal.db)
})
afterAll(() => portal.close())

const report = (id: number, by: Record<string, string>, text: string) =>
  portal.send('POST /api/reports', { subject_type: 'script', subject_id: id, reason: 'stolen', text }, by)
const read = async (by: Record<string, string>) =>
  (await portal.get<ResultOf<'GET /api/own-cases'>>('/api/own-cases', by)).body.reports
const stateOf = async (title: string): Promise<OwnReport['state'] | undefined> =>
  (await read(reporter)).find(({ subject_title }) => subject_title === title)?.state

async function decide(title: string, action: string): Promise<void> {
  const { rows } = await portal.pool.query<{ id: number }>('select id from report_cases where title = $1', [title])
  const payload = { id: rows[0]?.id, action, decision: 'Copied.' }
  expect((await portal.send('PUT /api/reports', payload, portal.admin)).status).toBe(200)
}

test('members see their own reports with the state, without those of others', async () => {
  const id = await makeScript(portal.db, { title: 'Lamp' })
  await report(id, second, 'Secret words of another member')
  await report(id, reporter, 'It is mine.')
  const reports = await read(reporter)
  expect(reports).toEqual([
    {
      id: expect.any(Number),
      subject_type: 'script',
      subject_title: 'Lamp',
      subject_link: `/scripts/lamp-${id}`,
      reason: 'stolen',
      text: 'It is mine.',
      state: 'waiting',
      created_at: expect.any(String),
      decided_at: null,
    },
  ])
  expect(JSON.stringify(reports)).not.toContain('Secret')
  expect(await read(await signIn(portal.db))).toEqual([])
})

test.each([
  ['hide', 'action_taken'],
  ['resolve', 'action_taken'],
  ['dismiss', 'no_violation'],
])('after the decision %s, the state is %s', async (action, state) => {
  const title = `Decided ${action}`
  await report(await makeScript(portal.db, { title }), reporter, 'Look.')
  await decide(title, action)
  expect(await stateOf(title)).toBe(state)
  const [newest] = await read(reporter)
  expect([newest?.decided_at !== null, newest?.subject_link === null]).toEqual([true, action === 'hide'])
})

test('a granted appeal means that there was no violation', async () => {
  const author = await makeMember(portal.db)
  await report(await makeScript(portal.db, { title: 'Appealed', author_id: author }), reporter, 'Look.')
  await decide('Appealed', 'hide')
  await portal.pool.query(`update report_cases set appeal = 'No.', appealed_at = now(), appeal_status = 'granted',
    appeal_decision = 'True.', appeal_decided_at = now() where title = 'Appealed'`)
  expect(await stateOf('Appealed')).toBe('no_violation')
})

test('the new name of a script that is private now is not shown', async () => {
  const id = await makeScript(portal.db, { title: 'Reported name' })
  await report(id, reporter, 'Look.')
  await portal.pool.query(`update scripts set title = 'Private plans', is_public = false where id = ${id}`)
  const [newest] = await read(reporter)
  expect(newest).toMatchObject({ subject_title: 'Reported name', subject_link: null })
})
