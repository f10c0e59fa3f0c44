import fc from 'fast-check'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminOperations } from '#contract/admin.ts'
import type { Operation } from '#contract/operation.ts'
import { Problem } from '#contract/operation.ts'
import { reportOperations } from '#contract/reports.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeCase } from '#tests/support/reports.ts'

const operations: Record<string, Operation> = { ...adminOperations, ...reportOperations }
const pathOf = (name: string) => name.slice(name.indexOf(' ') + 1)

let portal: Portal
let memberId: number

beforeAll(async () => {
  portal = await createPortal()
  const { db } = portal
  memberId = await makeMember(db, { email: 'a@b.example', avatar: 'a_1', last_seen_at: new Date() })
  const scriptId = await makeScript(db, { author_id: memberId, tags: ['ui'], showcase_date: new Date() })
  await db
    .insertInto('ratings')
    .values({ script_id: await makeScript(db), member_id: memberId, rating: 2 })
    .execute()
  const reported = { subject_type: 'script', subject_id: scriptId, reason: 'spam' }
  await portal.send('POST /api/reports', reported, await signIn(db))
  await makeCase(db, { subject_id: memberId, author_id: memberId })
  for (const action of [
    { action: 'warn_user', reason: 'Be kind' },
    { action: 'mute_user', reason: 'Loud' },
    { action: 'edit_user', notes: 'Watch.' },
    { action: 'ban_user', reason: 'Spam', duration: 'permanent' },
  ]) {
    await portal.act({ ...action, user_id: memberId })
  }
  await portal.send(
    'POST /api/moderation',
    { action: 'hide', subject_type: 'script', subject_id: scriptId, reason: 'No.' },
    portal.admin,
  )
  await portal.act({ action: 'send_notification', title: 'A', message: 'B', send_to_all: true })
})
afterAll(() => portal.close())

describe('returns responses that match the contract:', () => {
  test.each([
    ['GET /api/admin-keys', '?type=stats'],
    ['GET /api/admin-keys', '?type=users'],
    ['GET /api/admin-scripts', ''],
    ['GET /api/audit-log', ''],
    ['GET /api/reports', '?status=all'],
    ['GET /api/own-cases', ''],
    ['GET /api/admin-user', '?user_id='],
  ])('%s%s', async (name, query) => {
    const { status, body } = await portal.get(pathOf(name) + query + (query.endsWith('user_id=') ? memberId : ''))
    expect(status).toBe(200)
    expect([...Value.Errors(operations[name]?.response[200] ?? {}, body)]).toEqual([])
  })
})

async function findFaults(method: 'GET' | 'POST' | 'PUT', url: string, payload?: string): Promise<string[]> {
  const type = payload === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await portal.app.inject({
    method,
    url,
    headers: { ...portal.admin, ...type },
    ...(payload === undefined ? {} : { payload }),
  })
  if (answer.statusCode < 400) return []
  const isProblem = Value.Check(Problem, answer.json())
  const leaks = /\bselect\b|postgres|kysely|node_modules|\.ts\b/i.test(answer.payload)
  return answer.statusCode >= 500 || !isProblem || leaks ? [`${answer.statusCode} ${answer.payload}`] : []
}

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map(encodeURIComponent),
  fc.constantFrom('%', '%ff', '%00', '%25', '_', '\\', "'", '2147483648', '1e20', 'NaN', '-0', 'infinity', '%E2%80%AE'),
)

describe('requires an admin for', () => {
  test.each(Object.keys(operations).filter((name) => name.startsWith('GET ')))('%s', async (name) => {
    const known = Object.keys(operations[name]?.query?.properties ?? {})
    const fixed = name === 'GET /api/admin-keys' ? 'type=users&' : ''
    const parameter = fc.tuple(fc.constantFrom(...known, 'unknown'), odd)
    await fc.assert(
      fc.asyncProperty(fc.array(parameter, { maxLength: 4 }), async (parameters) => {
        const query = parameters.map(([key, value]) => `${key}=${value}`).join('&')
        expect(await findFaults('GET', `${pathOf(name)}?${fixed}${query}`)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  const words = [
    'action',
    'bulk_action',
    'user_id',
    'user_ids',
    'reason',
    'duration',
    'title',
    'message',
    'script_id',
    'id',
  ]
  const values = fc.oneof(
    fc.constantFrom<unknown>(
      'ban_user',
      'edit_user',
      'bulk_action',
      'send_notification',
      'claim',
      'resolve',
      'ban',
      'hide',
    ),
    fc.constantFrom<unknown>(1, 2, 3, 1e20, -1, 2 ** 31, 0.5, null, true, [], [1], {}, 'permanent', '\u0000', '\ud800'),
    fc.jsonValue(),
  )

  test.each(Object.keys(operations).filter((name) => !name.startsWith('GET ')))('%s', async (name) => {
    const method = name.startsWith('PUT') ? 'PUT' : 'POST'
    const body = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.dictionary(fc.constantFrom(...words), values).map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(body, async (payload) => {
        expect(await findFaults(method, pathOf(name), payload)).toEqual([])
      }),
      { numRuns: 120 },
    )
  })
})
