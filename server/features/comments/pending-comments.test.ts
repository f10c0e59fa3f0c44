// Comments that wait for review, across comments, reports, notifications and webhooks.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import type { Headers } from '#tests/support/ratings.ts'

const OLD = new Date(Date.now() - 30 * 24 * 3_600_000)
const LINK = 'See https://example.com'

interface Member {
  id: number
  name: string
  headers: Headers
}

let site: TestApp
let script: number
let author: Member
let newcomer: Member
let moderator: Member
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  author = await add()
  newcomer = await add({ created_at: new Date() })
  moderator = await add({ is_moderator: true })
  script = await makeScript(site.db, { author_id: author.id, title: 'Spring' })
  await sql`insert into webhooks (owner_id, sealed_url, sealed_secret, events, format) values
    (${author.id}, ''::bytea, ''::bytea, '{comment.posted,version.published}', 'json')`.execute(site.db)
})

let serial = 0
async function add(values: object = {}): Promise<Member> {
  const name = `writer${++serial}`
  const id = await makeMember(site.db, { created_at: OLD, username: name, ...values })
  return { id, name, headers: await signIn(site.db, id) }
}

async function call(as: Member, method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const response = await site.app.inject({ method, url, headers: as.headers, ...(payload && { payload }) })
  expect(response.statusCode, response.body).toBeLessThan(300)
  return response.json<{ comment: Comment }>()
}
const post = async (as: Member, text: string, parent_id?: number) =>
  (await call(as, 'POST', `/api/script-comments?id=${script}`, { text, ...(parent_id && { parent_id }) })).comment
const edit = (as: Member, id: number, text: string) => call(as, 'PUT', `/api/script-comment?id=${id}`, { text })

async function decide(id: number, action: string, decision = '') {
  const { rows } = await sql<{ id: number }>`select id from report_cases where subject_type = 'comment'
    and subject_id = ${id} order by id desc limit 1`.execute(site.db)
  await call(moderator, 'PUT', '/api/reports', { id: rows[0]?.id, action, decision })
}
const moderate = (action: string, subject_type: string, subject_id: number) =>
  call(moderator, 'POST', '/api/moderation', { action, subject_type, subject_id, reason: 'A reason.' })

async function inbox({ id }: Member): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`select title from notifications where member_id = ${id}
    order by id`.execute(site.db)
  return rows.map(({ title }) => title)
}
async function events(): Promise<{ type: string; data: { comment?: { id: number } } }[]> {
  const { rows } = await sql<{ body: string }>`select e.body from webhook_events e
    join webhook_deliveries d on d.event_id = e.id join webhooks w on w.id = d.webhook_id
    where w.owner_id = ${author.id} order by d.id`.execute(site.db)
  return rows.map(({ body }) => JSON.parse(body))
}

describe('a comment that waits for review', () => {
  test('reaches members and webhooks when it is published, once', async () => {
    const mentioned = await add()
    const { id, state } = await post(newcomer, `${LINK} @${mentioned.name}`)
    expect([state, await events(), await inbox(author), await inbox(mentioned)]).toEqual(['pending', [], [], []])
    await decide(id, 'dismiss')
    expect(await events()).toMatchObject([
      { type: 'comment.posted', data: { comment: { id, text: expect.any(String) } } },
    ])
    await moderate('hide', 'comment', id)
    await moderate('unhide', 'comment', id)
    expect(await events()).toHaveLength(1)
    expect([await inbox(author), await inbox(mentioned)]).toEqual([['New comment'], ['You were mentioned']])
  })

  test('is announced with the text and the mentions of its last edit', async () => {
    const [first, second] = [await add(), await add()]
    const { id } = await post(newcomer, `${LINK} @${first.name}`)
    await edit(newcomer, id, `${LINK} @${second.name}`)
    await decide(id, 'dismiss')
    expect([await inbox(first), await inbox(second)]).toEqual([[], ['You were mentioned']])
    expect(await events()).toMatchObject([{ data: { comment: { text: `${LINK} @${second.name}` } } }])
  })

  test('is announced if it is rejected first and an appeal is granted', async () => {
    const { id } = await post(newcomer, LINK)
    await decide(id, 'resolve', 'Advertising.')
    expect(await events()).toEqual([])
    await call(newcomer, 'POST', '/api/appeals', {
      case_id: await sql<{ id: number }>`select id from report_cases where subject_id = ${id}
        and subject_type = 'comment'`
        .execute(site.db)
        .then(({ rows }) => rows[0]?.id),
      text: 'It is not.',
    })
    moderator = await add({ is_moderator: true })
    await decide(id, 'grant', 'You are right.')
    expect([(await events()).length, await inbox(author)]).toEqual([1, ['New comment']])
    expect((await inbox(newcomer)).at(-1)).toBe('Your comment was approved')
  })

  test('that replies to a reply reaches the author of that reply', async () => {
    const [asks, answers] = [await add(), await add()]
    const root = await post(asks, 'A question')
    const answer = await post(answers, 'An answer', root.id)
    const pending = await post(newcomer, LINK, answer.id)
    await decide(pending.id, 'dismiss')
    expect(await inbox(answers)).toEqual(['Reply to your comment'])
    expect(await inbox(asks)).toEqual(['Reply to your comment'])
  })

  test('that replies to a comment that is deleted since reaches its other members', async () => {
    const [asks, answers] = [await add(), await add()]
    const root = await post(asks, 'A question')
    const answer = await post(answers, 'An answer', root.id)
    const pending = await post(newcomer, LINK, answer.id)
    await call(answers, 'DELETE', `/api/script-comment?id=${answer.id}`)
    await decide(pending.id, 'dismiss')
    expect([await inbox(asks), await inbox(answers)]).toEqual([['Reply to your comment'], []])
    expect(await inbox(author)).toHaveLength(1)
    expect(await events()).toHaveLength(3)
  })

  test('of an account that is deleted since is published without an announcement', async () => {
    const { id } = await post(newcomer, LINK)
    await site.db.deleteFrom('members').where('id', '=', newcomer.id).execute()
    await moderate('unhide', 'comment', id)
    expect([await events(), await inbox(author)]).toEqual([[], []])
  })

  test.each([
    ['dismiss', '', ['Your comment was approved']],
    ['hide', 'Advertising.', ['Your comment was not approved']],
  ])('says what happened to its author: %s', async (action, reason, titles) => {
    const { id } = await post(newcomer, LINK)
    await decide(id, action, reason)
    expect(await inbox(newcomer)).toEqual(titles)
  })
})

describe('an announced comment', () => {
  test('that waits for review after an edit notifies only members who are mentioned for the first time', async () => {
    const [first, second] = [await add(), await add()]
    const { id } = await post(newcomer, `Hello @${first.name}`)
    await edit(newcomer, id, `Hello @${first.name} @${second.name} ${LINK}`)
    expect(await inbox(second)).toEqual([])
    await decide(id, 'dismiss')
    expect([await inbox(author), await inbox(first), await inbox(second)]).toEqual([
      ['New comment'],
      ['You were mentioned'],
      ['You were mentioned'],
    ])
    expect(await events()).toHaveLength(1)
    expect(await inbox(newcomer)).toEqual(['Your comment is visible again'])
  })

  test('mentions nobody twice, also if a mention is removed and added again', async () => {
    const mentioned = await add()
    const { id } = await post(newcomer, `Hello @${mentioned.name}`)
    await edit(newcomer, id, 'Hello')
    await edit(newcomer, id, `Hello again @${mentioned.name}`)
    expect(await inbox(mentioned)).toEqual(['You were mentioned'])
  })
})

describe('a script', () => {
  test('that got a version while it was hidden announces it when it is visible again', async () => {
    const watcher = await add()
    await site.db.insertInto('watches').values({ member_id: watcher.id, script_id: script }).execute()
    await moderate('hide', 'script', script)
    await call(author, 'PUT', `/api/script-details?id=${script}`, { script_content: 'return 2', version: '1.1.0' })
    expect(await events()).toEqual([])
    await moderate('unhide', 'script', script)
    expect(await events()).toMatchObject([
      { type: 'version.published', data: { version: { name: '1.1.0', is_first: false } } },
    ])
    await moderate('hide', 'script', script)
    await moderate('unhide', 'script', script)
    expect(await events()).toHaveLength(1)
    const { rows } = await sql`select from broadcasts where script_id = ${script}`.execute(site.db)
    expect(rows).toHaveLength(1)
  })

  test('that its author made private is not called visible', async () => {
    await moderate('hide', 'script', script)
    await call(author, 'PUT', `/api/script-details?id=${script}`, { is_public: false })
    const admin = await add({ is_admin: true })
    moderator = admin
    await moderate('unhide', 'script', script)
    expect((await inbox(author)).at(-1)).toBe('Your script is no longer hidden by moderators')
  })
})
