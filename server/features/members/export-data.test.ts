import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { makeFullMember, PRIZE, type FullMember } from '#tests/support/full-member.ts'
import { exportSections } from './export-sections.ts'

type Row = Record<string, unknown>
type Everything = Record<string, Row[]> & { profile: Row; notification_settings: Row | null; exported_at: string }

const SECRET_HASH = Buffer.from('session token of nobody').toString('hex')

let site: TestApp
let member: FullMember
let text: string
let all: Everything
beforeAll(async () => {
  site = await createTestApp()
  member = await makeFullMember(site, {
    email: 'whole@example.com',
    display_name: 'Müller "Q" \\',
    bio: 'Two\nlines',
    notes: 'An inner remark.',
    muted_until: 'infinity',
  })
  text = await download(member.id)
  all = JSON.parse(text) as Everything
})
afterAll(() => site.close())

const ask = async (id: number) => site.app.inject({ url: '/api/account-data', headers: await signIn(site.db, id) })
const download = async (id: number) => {
  const answer = await ask(id)
  expect(answer.statusCode, answer.payload).toBe(200)
  return answer.payload
}

describe('an export', () => {
  test('is a JSON file that is not cached', async () => {
    const { headers } = await ask(member.id)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['content-disposition']).toContain(`attachment; filename="${member.username}-data.json"`)
    expect(headers['cache-control']).toBe('no-store')
  })

  test('has a part for each section, none of which is empty for a member who has done everything', () => {
    const names = exportSections({ openPrize: String, openWebhookUrl: String }).map(({ name }) => name)
    expect(Object.keys(all)).toEqual(['exported_at', ...names])
    expect(names.filter((name) => all[name] === null || all[name]?.length === 0)).toEqual([])
  })

  test('contains everything about the member', () => {
    expect(all.profile).toMatchObject({
      id: member.id,
      username: member.username,
      email: 'whole@example.com',
      display_name: 'Müller "Q" \\',
      bio: 'Two\nlines',
      muted_until: 'infinity',
      profile_image: null,
    })
    expect(all.profile['created_at']).toMatch(/\+00:00$/)
    expect(all['scripts']).toMatchObject([
      { id: member.scripts[0], title: 'Spring', tags: ['motion', 'ui'], stats: { view_count: 0 }, is_public: true },
      { id: member.scripts[1], title: 'Hidden', is_public: false },
    ])
    expect(all['script_versions']).toMatchObject([{ content: 'return "first"' }, { content: 'return 1' }])
    expect(all['ratings']).toMatchObject([{ script_id: member.rated, rating: 4, review: 'My words.' }])
    expect(all['replies_to_reviews']).toMatchObject([{ script_id: member.scripts[0], reply: 'My reply.' }])
    expect(all['giveaway_entries']).toMatchObject([{ place: 1, prize: PRIZE }])
    expect(all['sanctions']).toMatchObject([{ reason: 'Was loud.' }])
    expect(all.notification_settings).toMatchObject({ unwanted_kinds: ['reviews'] })
  })

  test('contains no secrets and nothing about others', () => {
    for (const hidden of ['inner remark', 'Their words', 'token_hash', 'browser_hash', 'sealed', SECRET_HASH]) {
      expect(text).not.toContain(hidden)
    }
    for (const [part, columns] of [
      ['sanctions', ['imposed_by', 'lifted_by']],
      ['reputation_received', ['giver_id']],
      ['notifications', ['actor_id', 'actors']],
      ['audit_log_about', ['actor_id', 'before', 'after']],
      ['replies_to_reviews', ['member_id', 'rating', 'review']],
    ] as const) {
      const keys = (all[part] ?? []).flatMap((row) => Object.keys(row))
      expect(
        keys.filter((key) => (columns as readonly string[]).includes(key)),
        part,
      ).toEqual([])
    }
  })

  test('contains nothing of another member', async () => {
    const stranger = JSON.parse(await download(await makeMember(site.db))) as Everything
    const { exported_at, profile, notification_settings, sessions, ...rest } = stranger
    expect(notification_settings).toBeNull()
    expect(sessions).toHaveLength(1)
    expect(profile['id']).not.toBe(member.id)
    expect(Object.values<unknown>(rest).filter((part) => Array.isArray(part) && part.length > 0)).toEqual([])
    expect(Date.parse(exported_at)).not.toBeNaN()
  })

  test('has every row of a long section once and in order', async () => {
    const author_id = await makeMember(site.db)
    const scripts = [await makeScript(site.db, { author_id }), await makeScript(site.db, { author_id })]
    for (const script_id of scripts) {
      const rows = Array.from({ length: 5 }, (_, i) => {
        return { script_id, number: i + 2, version: '1', content: `return ${i}`, sha256: '0'.repeat(64), size: 8 }
      })
      await site.db.insertInto('script_versions').values(rows).execute()
    }
    await site.pool.query(
      `insert into notifications (member_id, kind, type, title, message)
        select $1, 'admin', 'info', 'T', n::text from generate_series(1, 1203) n`,
      [author_id],
    )
    const { script_versions, notifications } = JSON.parse(await download(author_id)) as Everything
    expect(script_versions?.map((row) => [row['script_id'], row['number']])).toEqual(
      scripts.flatMap((script) => [1, 2, 3, 4, 5, 6].map((number) => [script, number])),
    )
    expect(notifications?.map(({ message }) => Number(message))).toEqual(Array.from({ length: 1203 }, (_, i) => i + 1))
  })
})

test('requires a session', async () => {
  expect((await site.app.inject('/api/account-data')).statusCode).toBe(401)
})
