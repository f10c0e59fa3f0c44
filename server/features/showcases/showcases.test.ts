import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { parseYoutubeLink } from './showcase-input.ts'

let site: TestApp
let admin: Record<string, string>

beforeAll(async () => {
  site = await createTestApp()
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
})
afterAll(() => site.close())

const call = (method: 'POST' | 'PUT' | 'DELETE', payload: object) =>
  site.app.inject({ method, url: '/api/showcases', headers: admin, payload })
const listShowcased = async () => {
  const response = await site.app.inject({ url: '/api/scripts?showcased=true&sort=showcase_date&order=desc' })
  return (response.json().scripts as { id: number }[]).map(({ id }) => id)
}

test.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['http://youtube.com/watch?list=a&v=dQw4w9WgXcQ&t=3', 'dQw4w9WgXcQ'],
  ['https://youtu.be/dQw4w9WgXcQ?si=x', 'dQw4w9WgXcQ'],
  ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
])('parses %s as the video %s', (link, id) => {
  expect(parseYoutubeLink(link)).toBe(`https://www.youtube.com/watch?v=${id}`)
})

test.each([
  'javascript:alert(1)//youtube.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
  'https://user@youtube.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.com/watch?v=short',
  'https://youtube.com/watch?v=dQw4w9WgXcQ"onload',
  'https://youtube.com/',
  'dQw4w9WgXcQ',
])('rejects the link %s', (link) => {
  expect(parseYoutubeLink(link)).toBeUndefined()
})

test('showcases a script, notifies its author, and removes it again', async () => {
  const authorId = await makeMember(site.db)
  const id = await makeScript(site.db, { author_id: authorId, title: 'Spring' })
  const added = await call('POST', {
    script_id: id,
    showcase_video_url: 'https://youtu.be/dQw4w9WgXcQ',
    showcase_notes: ' Neat. ',
  })
  expect(added.json()).toMatchObject({
    message: 'Script added to showcase',
    script: {
      id,
      is_showcased: true,
      showcase_video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      showcase_notes: 'Neat.',
      showcase_date: expect.any(String),
    },
  })
  expect(await listShowcased()).toContain(id)
  const messages = await site.db.selectFrom('notifications').select('title').where('member_id', '=', authorId).execute()
  expect(messages).toEqual([{ title: 'Your script is showcased' }])
  const removed = await call('DELETE', { script_id: id })
  expect(removed.json()).toMatchObject({
    message: 'Script removed from showcase',
    script: { is_showcased: false, showcase_date: null, showcase_notes: null, showcase_video_url: null },
  })
  expect(await listShowcased()).not.toContain(id)
})

test('a script that is added again has its earlier date, video and notes, unless others are sent', async () => {
  const id = await makeScript(site.db)
  const details = {
    showcase_date: '2026-01-02T00:00:00.000Z',
    showcase_video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    showcase_notes: 'Neat.',
  }
  await call('POST', { script_id: id, ...details })
  await call('DELETE', { script_id: id })
  await call('DELETE', { script_id: id })
  expect((await call('POST', { script_id: id })).json().script).toMatchObject(details)
  await call('DELETE', { script_id: id })
  const changed = await call('POST', { script_id: id, showcase_notes: '' })
  expect(changed.json().script).toMatchObject({ ...details, showcase_notes: null })
  expect((await call('POST', { script_id: id })).json().script).toMatchObject({ ...details, showcase_notes: null })
})

test('a change keeps omitted fields and clears empty ones', async () => {
  const id = await makeScript(site.db)
  await call('POST', { script_id: id, showcase_date: '2026-01-02', showcase_notes: 'Old', showcase_video_url: '' })
  const changed = await call('PUT', { script_id: id, showcase_notes: '' })
  expect(changed.json()).toMatchObject({
    message: 'Showcase details updated successfully',
    script: { showcase_date: '2026-01-02T00:00:00.000Z', showcase_notes: null },
  })
})

test.each([
  ['showcase_date', { showcase_date: 'soon' }],
  ['showcase_date', { showcase_date: '2027-02-30' }],
  ['showcase_date', { showcase_date: '2027-02-30T10:00:00Z' }],
  ['showcase_date', { showcase_date: '1999-01-01' }],
  ['showcase_video_url', { showcase_video_url: 'https://example.com/watch?v=dQw4w9WgXcQ' }],
  ['showcase_notes', { showcase_notes: 'x'.repeat(1001) }],
  ['showcase_notes', { showcase_notes: 'a\u0001' }],
])('rejects an invalid %s: %j', async (field, input) => {
  const id = await makeScript(site.db)
  const response = await call('POST', { script_id: id, ...input })
  expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, [field]])
  expect(await listShowcased()).not.toContain(id)
})

test('rejects unknown scripts, and changes of scripts that are not showcased', async () => {
  expect((await call('POST', { script_id: 2_000_000 })).statusCode).toBe(404)
  expect((await call('PUT', { script_id: await makeScript(site.db) })).json().code).toBe('not_showcased')
})

test('records the state before and after in the audit log', async () => {
  const id = await makeScript(site.db)
  await call('POST', { script_id: id, showcase_notes: 'One' })
  await call('PUT', { script_id: id, showcase_notes: 'Two' })
  await call('DELETE', { script_id: id })
  const rows = await site.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()
  expect(rows.map(({ action }) => action)).toEqual(['showcase_script', 'edit_showcase', 'unshowcase_script'])
  expect(rows[1]).toMatchObject({ before: { showcase_notes: 'One' }, after: { showcase_notes: 'Two' } })
})
