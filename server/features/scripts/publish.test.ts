import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { type Script, scriptOperations } from '#contract/scripts.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { publish, sendScript, type SignedIn, minimalScript } from '#tests/support/scripts.ts'

let site: TestApp
let memberId: number
let member: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  memberId = await makeMember(site.db, { username: 'ada', slug: 'ada', display_name: 'Ada L' })
  member = await signIn(site.db, memberId)
})
afterAll(() => site.close())

const read = async (id: number): Promise<Script> => {
  const response = await site.app.inject({ url: `/api/script-details-slug?slug=x-${id}`, headers: member })
  return response.json<{ script: Script }>().script
}
const list = async (query: string): Promise<ScriptList> => (await site.app.inject(`/api/scripts?${query}`)).json()

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

describe('publishing', () => {
  test('returns 201 with the id, title and slug of the new script', async () => {
    const response = await sendScript(site, member, { ...minimalScript, title: '  My First Script  ' })
    expect(response.statusCode).toBe(201)
    const body = response.json<{ script: { id: number } }>()
    expect(body.script).toEqual({
      id: body.script.id,
      title: 'My First Script',
      slug: `my-first-script-${body.script.id}`,
    })
    expect(Value.Check(scriptOperations['POST /api/scripts'].response[201], body)).toBe(true)
  })

  test('uses default values for omitted fields', async () => {
    const script = await read(await publish(site, member))
    expect(script).toMatchObject({
      version: '1.0.0',
      is_universal: true,
      is_client_side: true,
      is_free: true,
      image: '',
    })
    expect(script).toMatchObject({
      is_public: true,
      is_working: true,
      is_mobile_compatible: true,
      has_key_system: false,
    })
    expect(script).toMatchObject({ tags: [], game_id: null, key_system_url: null, rating_count: 0, view_count: 0 })
    expect(script).toMatchObject({
      author_id: memberId,
      author_name: 'Ada L',
      file_size: 8,
      script_content: 'return 1',
    })
    expect(script.updated_at).toBe(script.created_at)
  })

  test('stores every field of the form', async () => {
    const input = {
      version: '2.1',
      has_key_system: true,
      key_system_url: 'https://keys.example/get',
      is_universal: false,
      game_id: '2753915549',
      is_client_side: false,
      is_free: false,
      is_mobile_compatible: false,
      is_working: false,
    }
    const script = await read(await publish(site, member, { ...input, tags: ['farm'], image: PIXEL }))
    expect(script).toMatchObject(input)
    expect(script.image).toMatch(/^\/media\/[0-9a-f]{64}\.webp$/)
    expect((await site.app.inject(script.image)).statusCode).toBe(200)
  })

  test('stores the code unchanged but for a byte order mark, and the description with normalized line breaks', async () => {
    const script_content = '-- 😀 \u202e\r\n\tprint("a\\0b")\r '
    const description = ' one\r\ntwo\rthree\tfour\u000bfive\u0085six\u2028seven\u0093 '
    const id = await publish(site, member, { script_content: `\ufeff${script_content}`, description })
    expect(await read(id)).toMatchObject({ script_content, description: 'one\ntwo\nthree\tfour\nfive\nsix\nseven' })
    expect((await site.app.inject(`/raw/x-${id}`)).rawPayload).toEqual(Buffer.from(script_content))
  })

  test('stores right-to-left titles with their marks, and rejects characters that reorder the text', async () => {
    const title = 'سكربت C++\u200e می\u200cخواهم'
    expect((await read(await publish(site, member, { title }))).title).toBe(title)
    const rejected = await sendScript(site, member, { ...minimalScript, title: 'سكربت \u202egnp.exe\u2069' })
    expect(rejected.json()).toMatchObject({ fields: { title: "Title can't contain text-direction characters." } })
  })

  test('stores the title with the longest sort key', async () => {
    const title = '\ufdfa'.repeat(100)
    expect((await read(await publish(site, member, { title }))).title).toBe(title)
  })

  test('shows the new script in lists, searches, tags and counts at once', async () => {
    await site.app.inject('/api/script-tags')
    await list('author=1')
    const input = { title: 'Freshly Baked', description: 'Smells of ünïque bread.', tags: ['Bakery'] }
    const id = await publish(site, member, input)
    for (const query of ['search=freshl', 'search=unique', 'search=bakery', 'search=ada', 'tags=bakery', '']) {
      expect((await list(query)).scripts[0]?.id, query).toBe(id)
    }
    const { tags } = (await site.app.inject('/api/script-tags')).json<{ tags: { name: string; count: number }[] }>()
    expect(tags).toContainEqual(expect.objectContaining({ name: 'bakery', count: 1 }))
  })

  test('ignores a member id in another header', async () => {
    const other = await makeMember(site.db)
    const response = await site.app.inject({
      method: 'POST',
      url: '/api/scripts',
      headers: { ...member, 'user-id': String(other) },
      payload: minimalScript,
    })
    expect((await read(response.json<{ script: { id: number } }>().script.id)).author_id).toBe(memberId)
  })
})

describe('tags', () => {
  const tagsOf = async (tags: unknown) =>
    (await read(await publish(site, member, { tags }))).tags.map(({ name }) => name)

  test.each([
    [['Aim', ' aim ', 'AIM', '', '  '], ['aim']],
    [
      ['b', 'a'],
      ['b', 'a'],
    ],
    ['["Auto Farm","#esp"]', ['auto farm', 'esp']],
    ['[]', []],
    ['', []],
    [['E\u0301t\u00c9', 'été'], ['été']],
    [['auto   farm', 'auto farm'], ['auto farm']],
    [
      ['c#', '##x'],
      ['c#', 'x'],
    ],
    [Array.from({ length: 10 }, (_, n) => `t${n}`), Array.from({ length: 10 }, (_, n) => `t${n}`)],
    [[...Array.from({ length: 10 }, (_, n) => `u${n}`), ' U0 '], Array.from({ length: 10 }, (_, n) => `u${n}`)],
    [['x'.repeat(30)], ['x'.repeat(30)]],
    [['😀'.repeat(30)], ['😀'.repeat(30)]],
  ])('%j are stored as %j', async (input, names) => {
    expect(await tagsOf(input)).toEqual(names)
  })

  test('are found under the name in the form', async () => {
    const id = await publish(site, member, { tags: ['E\u0301TE\u0301  x'] })
    expect((await list(`tags=${encodeURIComponent('ÉTÉ x')}`)).scripts.map((script) => script.id)).toEqual([id])
  })

  test('created by concurrent requests have one id and color each', async () => {
    const names = ['z9', 'y9', 'x9']
    const tags = await Promise.all(
      Array.from({ length: 12 }, async (_, n) =>
        (await read(await publish(site, member, { tags: n % 2 ? names : names.toReversed() }))).tags.toSorted(
          (a, b) => a.id - b.id,
        ),
      ),
    )
    expect(new Set(tags.map((found) => JSON.stringify(found))).size).toBe(1)
  })

  test('without a public script are not listed', async () => {
    await publish(site, member, { tags: ['hush'], is_public: false })
    const { rows } = await sql`select from tags where name = 'hush'`.execute(site.db)
    expect(rows).toHaveLength(1)
    expect((await site.app.inject('/api/script-tags')).payload).not.toContain('hush')
  })
})

describe('permission to publish', () => {
  test('a visitor cannot publish', async () => {
    expect((await sendScript(site, undefined, minimalScript)).statusCode).toBe(401)
  })

  test('the error for a muted member names the end of the mute', async () => {
    const muted = await makeMember(site.db, { muted_until: new Date('2999-01-02T03:04:05Z') })
    const response = await sendScript(site, await signIn(site.db, muted), minimalScript)
    expect(response.statusCode).toBe(403)
    expect(response.json()).toMatchObject({
      code: 'muted',
      error: expect.stringContaining('January 2, 2999 at 03:04 UTC'),
    })
  })

  test('a member whose mute has ended can publish', async () => {
    const unmuted = await makeMember(site.db, { muted_until: new Date(Date.now() - 1000) })
    expect((await sendScript(site, await signIn(site.db, unmuted), minimalScript)).statusCode).toBe(201)
  })

  test.each(['banned_until', 'muted_until'] as const)(
    'nothing is published after setting %s has been acknowledged',
    async (sanction) => {
      const id = await makeMember(site.db)
      const headers = await signIn(site.db, id)
      const count = async () =>
        (await site.db.selectFrom('scripts').select('id').where('author_id', '=', id).execute()).length
      // An uncommitted row with the same key blocks publishing in the middle of its transaction.
      const holder = await site.pool.connect()
      await holder.query('begin')
      await holder.query(`insert into publish_keys (member_id, key, body_sha256) values ($1, 'blocked', sha256(''))`, [
        id,
      ])
      const publishing = sendScript(site, headers, minimalScript, 'blocked').then(({ statusCode }) => statusCode)
      const countWaiting = async () => {
        const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db)
        return rows.length
      }
      await expect.poll(countWaiting).toBe(1)
      let acknowledged = false
      const sanctioning = site.db
        .updateTable('members')
        .set({ [sanction]: 'infinity' })
        .where('id', '=', id)
        .execute()
      const countAtSanction = sanctioning.then(() => {
        acknowledged = true
        return count()
      })
      await expect.poll(async () => acknowledged || (await countWaiting()) === 2).toBe(true)
      await holder.query('rollback')
      holder.release()
      expect(await publishing).toBe(201)
      expect(await countAtSanction).toBe(await count())
      expect((await sendScript(site, headers, minimalScript)).statusCode).toBe(sanction === 'muted_until' ? 403 : 401)
    },
  )
})
