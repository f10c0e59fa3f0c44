import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Comment, commentOperations, type CommentPage, type Thread } from '#contract/comments.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { type Headers, makeRatingScene, ratingRequests } from '#tests/support/ratings.ts'

const OLD = new Date(Date.now() - 30 * 24 * 3_600_000)

let site: TestApp
let author: number
let script: number
let member: number
let headers: Headers
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  ;({ author, script, member, headers } = await makeRatingScene(site))
  await set(member, { created_at: OLD })
})
const { readNotifications, set } = ratingRequests(() => ({ site, script, headers }))

const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, as = headers) =>
  site.app.inject({ method, url, headers: as, ...(payload ? { payload } : {}) })
const post = (payload: object, as = headers, id = script) => send('POST', `/api/script-comments?id=${id}`, payload, as)
const postId = async (payload: object, as = headers) =>
  (await post(payload, as)).json<{ comment: Comment }>().comment.id
const edit = (id: number, text: string, as = headers) => send('PUT', `/api/script-comment?id=${id}`, { text }, as)
const remove = (id: number, as = headers) => send('DELETE', `/api/script-comment?id=${id}`, undefined, as)
const helpful = (subject_id: number, is_helpful = true, as = headers, subject_type = 'comment') =>
  send('PUT', '/api/helpful', { subject_type, subject_id, is_helpful }, as)
const list = async (as: Headers = {}, query = '') => {
  const response = await site.app.inject({ url: `/api/script-comments?id=${script}${query}`, headers: as })
  return response.json<CommentPage>()
}
const thread = (id: number, as: Headers = {}, query = '') =>
  site.app.inject({ url: `/api/comment-thread?id=${id}${query}`, headers: as })
const another = async (values = {}) => {
  const id = await makeMember(site.db, { created_at: OLD, ...values })
  return { id, headers: (await signIn(site.db, id)) as Headers }
}

test('a comment is published, listed and notified to the author', async () => {
  const response = await post({ text: ' How does it work?\r\n' })
  expect(response.statusCode).toBe(201)
  expect(Value.Check(commentOperations['POST /api/script-comments'].response[201], response.json())).toBe(true)
  const page = await list()
  expect(Value.Check(commentOperations['GET /api/script-comments'].response[200], page)).toBe(true)
  expect(page).toMatchObject({ has_more: false, count: 1, slow_seconds: 0 })
  const comment = { text: 'How does it work?', author_name: 'Ada', state: 'published', is_script_author: false }
  expect(page.threads[0]).toMatchObject({ ...comment, is_own: false, replies: [] })
  expect((await list(headers)).threads[0]).toMatchObject({ is_own: true })
  const link = `/scripts/spring-${script}#comment-${page.threads[0]?.id}`
  const message = 'Ada commented on your script “Spring”.'
  expect(await readNotifications(author)).toEqual([{ title: 'New comment', message, link }])
})

test('a reply to a reply joins its thread and notifies those concerned once', async () => {
  const root = await postId({ text: 'Question' })
  const owner = await signIn(site.db, author)
  const reply = await post({ text: 'Answer', parent_id: root }, owner)
  expect(reply.json<{ comment: Comment }>().comment).toMatchObject({ parent_id: root, is_script_author: true })
  const third = await another({ display_name: 'Grace' })
  await post({ text: 'Me too', parent_id: reply.json<{ comment: Comment }>().comment.id }, third.headers)
  const [first] = (await list()).threads
  expect(first?.replies.map(({ text }) => text)).toEqual(['Answer', 'Me too'])
  expect((await readNotifications(member)).map(({ title }) => title)).toEqual(['Reply to your comment'])
  expect((await readNotifications(author)).map(({ title }) => title)).toEqual(['Reply to your comment', 'New comment'])
})

test('mentioned members are notified, linked by slug, and not notified again by an edit', async () => {
  const grace = await another({ username: 'Grace_H', slug: 'grace-h' })
  const id = await postId({ text: 'Ask @grace_h, (@GRACE_H), not mail@grace_h or @nobody.' })
  const [found] = (await list()).threads
  expect(found?.mentions).toEqual([{ name: 'Grace_H', slug: 'grace-h' }])
  await edit(id, 'Ask @grace_h again.')
  const inCode = await postId({ text: '`@grace_h`\n\n```\n@grace_h\n```' })
  expect((await list()).threads.find(({ id: other }) => other === inCode)?.mentions).toEqual([])
  expect((await readNotifications(grace.id)).map(({ message }) => message)).toEqual([
    'Ada mentioned you in a comment on “Spring”.',
  ])
})

test('kinds of notifications that a member turned off are not sent', async () => {
  const owner = await signIn(site.db, author)
  await send('PUT', '/api/notification-settings', { comments: false }, owner)
  await post({ text: 'Hello' })
  expect(await readNotifications(author)).toEqual([])
})

describe('threads', () => {
  test('are listed newest first in pages without gaps or repetitions', async () => {
    const texts = Array.from({ length: 45 }, (_, i) => `Comment ${i}`)
    await sql`insert into comments (script_id, author_id, text)
      select ${script}, ${member}, t from unnest(${texts}::text[]) with ordinality x (t, i) order by i`.execute(site.db)
    const seen: Thread[] = []
    for (let query = ''; ; query = `&before=${seen.at(-1)?.id}`) {
      const page = await list({}, query)
      seen.push(...page.threads)
      if (!page.has_more) break
    }
    expect(seen.map(({ text }) => text)).toEqual(texts.toReversed())
  })

  test('show three replies and load the rest', async () => {
    const root = await postId({ text: 'Question' })
    await sql`insert into comments (script_id, parent_id, author_id, text)
      select ${script}, ${root}, ${member}, 'Reply ' || i from generate_series(1, 30) i`.execute(site.db)
    const [first] = (await list()).threads
    expect(first?.replies.map(({ text }) => text)).toEqual(['Reply 1', 'Reply 2', 'Reply 3'])
    expect(first?.has_more_replies).toBe(true)
    const rest = (await thread(root, {}, `&after=${first?.replies.at(-1)?.id}`)).json<{ thread: Thread }>().thread
    expect(rest.replies).toHaveLength(20)
    expect(rest.replies[0]?.text).toBe('Reply 4')
    const last = rest.replies.at(-1)?.id ?? 0
    const linked = (await thread(last)).json<{ thread: Thread }>().thread
    expect([linked.id, linked.replies[0]?.id]).toEqual([root, last])
  })

  test('come from an index in the order of the list', async () => {
    const plan = await site.db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx)
      await sql`set local enable_sort = off`.execute(trx)
      const { rows } = await sql<Record<string, string>>`explain (costs off)
        select c.* from comments c left join members m on m.id = c.author_id
        where c.script_id = ${script} and c.parent_id is null and c.id < 1000 and c.hidden_at is null
        order by c.id desc limit 21`.execute(trx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toContain('Index Scan using comments_threads')
    expect(plan).not.toContain('Sort')
  })
})

describe('a deleted comment', () => {
  test('without replies is gone', async () => {
    const id = await postId({ text: 'Gone soon' })
    expect((await remove(id)).json()).toEqual({ message: 'Comment deleted' })
    expect((await list()).threads).toEqual([])
    expect((await remove(id)).statusCode).toBe(404)
  })

  test('with replies stays without text and author, takes no replies, and goes with the last one', async () => {
    const root = await postId({ text: 'Secret' })
    const other = await another()
    const reply = await postId({ text: 'Answer', parent_id: root }, other.headers)
    await helpful(root, true, other.headers)
    await remove(root)
    const [found] = (await list()).threads
    expect(found).toMatchObject({ text: null, state: 'deleted', author_slug: '', helpful_count: 0 })
    expect(found?.replies.map(({ id }) => id)).toEqual([reply])
    const late = await post({ text: 'Late', parent_id: root })
    expect([late.statusCode, late.json<{ code: string }>().code]).toEqual([409, 'comment_deleted'])
    expect((await edit(root, 'Back')).statusCode).toBe(404)
    await remove(reply, other.headers)
    expect((await list()).threads).toEqual([])
  })
})

test('the comments of a deleted account stay without a name', async () => {
  await postId({ text: 'A question' })
  await site.db.deleteFrom('members').where('id', '=', member).execute()
  expect((await list()).threads[0]).toMatchObject({
    text: 'A question',
    author_name: 'Deleted member',
    author_slug: '',
  })
})

test('the votes of a deleted account are taken back', async () => {
  const id = await postId({ text: 'A question' })
  const other = await another()
  await helpful(id, true, other.headers)
  await site.db.deleteFrom('members').where('id', '=', other.id).execute()
  expect((await list()).threads[0]?.helpful_count).toBe(0)
})

test('replies below a hidden comment are neither shown nor counted', async () => {
  const id = await postId({ text: 'A question' })
  await postId({ text: 'An answer', parent_id: id }, (await another()).headers)
  expect(await list()).toMatchObject({ count: 2 })
  await site.db.updateTable('comments').set({ hidden_at: new Date() }).where('id', '=', id).execute()
  expect(await list()).toMatchObject({ threads: [], count: 0 })
  expect(await list(headers)).toMatchObject({ count: 2 })
})

test('comments of banned members are hidden, and return after the ban', async () => {
  await post({ text: 'Hello' })
  await set(member, { banned_until: 'infinity' })
  expect((await list()).threads).toEqual([])
  expect((await post({ text: 'Again' })).statusCode).toBe(401)
  await set(member, { banned_until: null })
  expect((await list()).threads).toHaveLength(1)
})

test('a member sees no comments of members they blocked and is not notified of them', async () => {
  await post({ text: 'Hello' })
  await site.db.insertInto('blocks').values({ blocker_id: author, blocked_id: member }).execute()
  const id = await postId({ text: 'Anybody there?' })
  const owner = await signIn(site.db, author)
  expect((await list(owner)).threads).toEqual([])
  expect((await thread(id, owner)).statusCode).toBe(404)
  expect((await list()).threads).toHaveLength(2)
  expect(await readNotifications(author)).toHaveLength(1)
})

describe('is rejected, and changes nothing:', () => {
  test.each([
    ['a blank comment', { text: ' \u200b\n' }],
    ['10,001 characters', { text: 'x'.repeat(10_001) }],
    ['control characters', { text: 'a\0b' }],
    ['no text', {}],
    ['an unknown field', { text: 'a', author_id: 1 }],
  ])('%s', async (_name, payload) => {
    const response = await post(payload)
    expect(response.statusCode).toBe(400)
    expect((await list()).threads).toEqual([])
  })

  test('a comment of a muted member', async () => {
    await set(member, { muted_until: 'infinity' })
    expect((await post({ text: 'Hello' })).json()).toMatchObject({ code: 'muted' })
  })

  test.each([{ is_public: false }, { is_public: false, hidden_at: new Date(), was_public: true }])(
    'a comment on a script with %j',
    async (columns) => {
      const id = await postId({ text: 'Before' })
      await site.db.updateTable('scripts').set(columns).where('id', '=', script).execute()
      expect((await post({ text: 'Hello' })).json()).toMatchObject({ code: 'script_not_found' })
      expect((await edit(id, 'Changed')).json()).toMatchObject({ code: 'script_not_found' })
      expect((await helpful(id, true, await signIn(site.db))).statusCode).toBe(404)
      expect((await thread(id)).statusCode).toBe(404)
      expect((await site.app.inject({ url: `/api/script-comments?id=${script}` })).statusCode).toBe(404)
      expect((await remove(id)).statusCode).toBe(200)
    },
  )

  test("a reply to another script's comment", async () => {
    const parent_id = await postId({ text: 'Here' })
    const elsewhere = await makeScript(site.db)
    expect((await post({ text: 'There', parent_id }, headers, elsewhere)).statusCode).toBe(404)
  })

  test("an edit or a deletion of another member's comment", async () => {
    const id = await postId({ text: 'Mine' })
    const other = await another()
    expect((await edit(id, 'Yours', other.headers)).statusCode).toBe(403)
    expect((await remove(id, other.headers)).statusCode).toBe(403)
    expect((await list()).threads[0]?.text).toBe('Mine')
  })
})

describe('links of new members', () => {
  test.each([
    'https://example.com',
    'see WWW.example.com',
    'discord.gg/abc',
    '请看https://example.com，谢谢',
    '加discord.gg/abc',
  ])('wait for review: %s', async (text) => {
    await set(member, { created_at: new Date() })
    const response = await post({ text })
    expect(response.json()).toMatchObject({
      comment: { state: 'pending' },
      message: 'A moderator will review your comment, because it has a link.',
    })
    expect((await list()).threads).toEqual([])
    expect((await list(headers)).threads).toHaveLength(1)
    expect(await readNotifications(author)).toEqual([])
  })

  test('are published and notified when a moderator dismisses the case', async () => {
    await set(member, { created_at: new Date() })
    await post({ text: 'https://example.com' })
    const moderator = await another({ is_moderator: true })
    const queue = await site.app.inject({ url: '/api/reports?limit=100', headers: moderator.headers })
    const cases = queue.json<{ cases: { id: number; subject_type: string; author_id: number }[] }>().cases
    const pending = cases.find((one) => one.subject_type === 'comment' && one.author_id === member)
    expect(pending).toMatchObject({ report_count: 0, subject_excerpt: 'https://example.com', is_hidden: true })
    await send('PUT', '/api/reports', { id: pending?.id, action: 'dismiss' }, moderator.headers)
    expect((await list()).threads[0]).toMatchObject({ state: 'published' })
    expect((await readNotifications(author)).map(({ title }) => title)).toEqual(['New comment'])
  })

  test.each(['resolve', 'hide'])('stay hidden when a moderator decides to %s', async (action) => {
    await set(member, { created_at: new Date() })
    const id = await postId({ text: 'https://example.com' })
    const moderator = await another({ is_moderator: true })
    const { rows } = await sql<{ id: number }>`select id from report_cases where subject_id = ${id}
      and subject_type = 'comment'`.execute(site.db)
    const decision = { id: rows[0]?.id, action, decision: 'Advertising.' }
    await send('PUT', '/api/reports', decision, moderator.headers)
    expect((await list(headers)).threads[0]).toMatchObject({ state: 'hidden' })
    expect((await edit(id, 'Nicer')).json()).toMatchObject({ code: 'hidden' })
    expect((await list()).threads).toEqual([])
  })

  test('wait when they are added by an edit, and not if the script is their own', async () => {
    await set(member, { created_at: new Date() })
    await set(author, { created_at: new Date() })
    const id = await postId({ text: 'Fine' })
    await edit(id, 'Now at https://example.com')
    expect((await list()).threads).toEqual([])
    await post({ text: 'https://example.com' }, await signIn(site.db, author))
    expect((await list()).threads).toHaveLength(1)
  })
})

test('a reported comment can be hidden by a moderator, whose decision its author can appeal', async () => {
  const id = await postId({ text: 'Rude' })
  const reporter = await another()
  const report = { subject_type: 'comment', subject_id: id, reason: 'harassment' }
  expect((await send('POST', '/api/reports', report, reporter.headers)).statusCode).toBe(201)
  const moderator = await another({ is_moderator: true })
  const hide = { action: 'hide', subject_type: 'comment', subject_id: id, reason: 'Be kind.' }
  expect((await send('POST', '/api/moderation', hide, moderator.headers)).json()).toEqual({ message: 'Comment hidden' })
  expect((await list()).threads).toEqual([])
  expect((await helpful(id, true, reporter.headers)).statusCode).toBe(404)
  expect((await post({ text: 'Why?', parent_id: id }, reporter.headers)).statusCode).toBe(404)
  const own = await site.app.inject({ url: '/api/own-cases', headers })
  expect(own.json()).toMatchObject({
    cases: [{ subject_type: 'comment', subject_link: `/scripts/spring-${script}#comment-${id}`, can_appeal: true }],
  })
})

describe('slow mode', () => {
  test('lets a member comment once in the chosen time, but not the author', async () => {
    const owner = await signIn(site.db, author)
    await send('PUT', '/api/comment-settings', { script_id: script, slow_seconds: 300 }, owner)
    expect((await post({ text: 'First' })).statusCode).toBe(201)
    const second = await post({ text: 'Second' })
    expect([second.statusCode, second.json<{ code: string }>().code]).toEqual([429, 'slow_mode'])
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(200)
    await post({ text: 'Answer' }, owner)
    expect((await post({ text: 'Another' }, owner)).statusCode).toBe(201)
    expect((await list()).slow_seconds).toBe(300)
  })

  test('admits one of two concurrent comments', async () => {
    const owner = await signIn(site.db, author)
    await send('PUT', '/api/comment-settings', { script_id: script, slow_seconds: 30 }, owner)
    const responses = await Promise.all([post({ text: 'One' }), post({ text: 'Two' })])
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 429])
  })

  test('is set by the author and moderators only, to one of the choices', async () => {
    const set30 = (as: Headers, slow_seconds = 30) =>
      send('PUT', '/api/comment-settings', { script_id: script, slow_seconds }, as)
    expect((await set30(headers)).json()).toMatchObject({ code: 'not_the_author' })
    const moderator = await another({ is_moderator: true })
    expect((await set30(moderator.headers)).statusCode).toBe(200)
    expect((await set30(moderator.headers, 7)).statusCode).toBe(400)
  })
})

test('a member can write sixty comments in an hour', async () => {
  await sql`insert into limit_uses (name, key, uses, expires_at)
    values ('comments', person_of(${member})::text, array(select now() - n * interval '50 seconds'
      from generate_series(1, 59) n), now() + interval '1 hour')`.execute(site.db)
  const last = await postId({ text: 'The sixtieth' })
  await remove(last)
  const rejected = await post({ text: 'One more' })
  expect([rejected.statusCode, rejected.json<{ code: string }>().code]).toEqual([429, 'too_many_comments'])
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(600)
})

describe('helpful', () => {
  test('counts each member once, also at the same time, and can be taken back', async () => {
    const id = await postId({ text: 'Advice' })
    const other = await another()
    const responses = await Promise.all([1, 2, 3].map(() => helpful(id, true, other.headers)))
    expect(responses.map((response) => response.json())).toEqual([1, 1, 1].map((helpful_count) => ({ helpful_count })))
    expect((await list(other.headers)).threads[0]).toMatchObject({ helpful_count: 1, is_helpful: true })
    expect((await helpful(id, false, other.headers)).json()).toEqual({ helpful_count: 0 })
    expect((await list(other.headers)).threads[0]).toMatchObject({ helpful_count: 0, is_helpful: false })
  })

  test('is not for own comments', async () => {
    expect((await helpful(await postId({ text: 'Advice' }))).json()).toMatchObject({ code: 'own_thing' })
  })

  test('works for reviews, which the member finds again', async () => {
    const { id } = await site.db
      .insertInto('ratings')
      .values({ script_id: script, member_id: await makeMember(site.db), rating: 5, review: 'Good.' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await helpful(id, true, headers, 'review')).json()).toEqual({ helpful_count: 1 })
    const own = await site.app.inject({ url: `/api/own-helpful?id=${script}`, headers })
    expect(own.json()).toEqual({ reviews: [id] })
    const ratings = await site.app.inject({ url: `/api/script-rating?id=${script}` })
    expect(ratings.json()).toMatchObject({ ratings: [{ id, helpful_count: 1 }] })
  })
})
