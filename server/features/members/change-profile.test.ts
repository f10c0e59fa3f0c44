import Value from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { memberOperations } from '#contract/members.ts'
import { formatTime } from '#server/platform/http/text.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { dataUrl, uniquePng } from '#tests/support/images.ts'
import { changeProfile, readProfile, sendProfile } from '#tests/support/profiles.ts'

let site: TestApp
let id: number
let headers: Awaited<ReturnType<typeof signIn>>
beforeAll(async () => {
  site = await createTestApp()
})
beforeEach(async () => {
  id = await makeMember(site.db)
  headers = await signIn(site.db, id)
})
afterAll(() => site.close())

const listed = async (query: string) => (await site.app.inject(`/api/scripts?${query}`)).json<ScriptList>()

test('returns the profile as its owner sees it; visitors see the change at once', async () => {
  await readProfile(site, id)
  const input = {
    display_name: ' Mara ',
    bio: ' One\r\nTwo ',
    location: 'Graz\nAustria',
    website: ' HTTPS://Example.com ',
  }
  const profile = await changeProfile(site, headers, input)
  const stored = { display_name: 'Mara', bio: 'One\nTwo', location: 'Graz Austria', website: 'https://example.com/' }
  expect(profile).toMatchObject({ user_id: id, ...stored })
  expect([...Value.Errors(memberOperations['PUT /api/user-profiles'].response[200], { profile })]).toEqual([])
  expect(await readProfile(site, id)).toMatchObject(stored)
})

test('omitted fields keep their values; empty text and null clear them', async () => {
  const input = { display_name: 'Mara', bio: 'Hello.', location: 'Graz', website: 'https://example.com/' }
  await changeProfile(site, headers, input)
  expect(await changeProfile(site, headers, { bio: 'Other.' })).toMatchObject({ ...input, bio: 'Other.' })
  expect(await changeProfile(site, headers, {})).toMatchObject({ ...input, bio: 'Other.' })
  const emptied = await changeProfile(site, headers, { display_name: '', bio: null, location: ' \n', website: '' })
  expect(emptied).toMatchObject({ display_name: null, bio: null, location: null, website: null })
})

test('privacy settings can be set one by one', async () => {
  const hidden = { profile_visibility: 'private', show_email: true, show_script_stats: false }
  const { privacy_settings } = await changeProfile(site, headers, { privacy_settings: hidden })
  expect(privacy_settings).toMatchObject({ ...hidden, show_location: true, show_website: true })
  expect((await readProfile(site, id)).is_hidden).toBe(true)
  await changeProfile(site, headers, { privacy_settings: { profile_visibility: 'public' } })
  expect((await readProfile(site, id)).is_hidden).toBe(false)
})

describe('social links', () => {
  test.each([
    ['youtube', 'https://www.youtube.com/@me', 'https://www.youtube.com/@me'],
    ['youtube', 'Me.and.you', undefined],
    ['youtube', '@Me.and.you', 'https://www.youtube.com/@Me.and.you'],
    ['youtube', ' channel ', 'https://www.youtube.com/@channel'],
    ['youtube', 'youtube.com/@me', 'https://youtube.com/@me'],
    ['github', '@me-2', 'https://github.com/me-2'],
    ['github', 'www.GitHub.com/me', 'https://www.github.com/me'],
    ['github', 'gitlab.com/me', undefined],
    ['github', 'two words', undefined],
    ['x', '@me', 'https://x.com/me'],
    ['instagram', '@first.last', 'https://www.instagram.com/first.last'],
    ['instagram', 'https://www.instagram.com/me/', 'https://www.instagram.com/me/'],
    ['instagram', 'https://example.com/me', undefined],
    ['twitch', 'streamer', 'https://www.twitch.tv/streamer'],
    ['roblox', 'Builder_1', 'https://www.roblox.com/users/profile?username=Builder_1'],
    ['roblox', '156', 'https://www.roblox.com/users/156/profile'],
    ['other', 'me', undefined],
    ['youtube', 'http://youtu.be/abc', 'https://youtu.be/abc'],
    ['github', ' https://GitHub.com/Me ', 'https://github.com/Me'],
    ['x', 'https://twitter.com/me', 'https://twitter.com/me'],
    ['twitch', 'https://m.twitch.tv/me', 'https://m.twitch.tv/me'],
    ['roblox', 'https://www.roblox.com/users/1/profile', 'https://www.roblox.com/users/1/profile'],
    ['discord', 'https://discord.gg/abc', 'https://discord.gg/abc'],
    ['discord', '@Mara.Codes_', 'mara.codes_'],
    ['other', 'http://example.com/me', 'http://example.com/me'],
    ['other', 'https://例え.jp/é', 'https://xn--r8jz45g.jp/%C3%A9'],
  ])('as %s can be %j', async (name, input, stored) => {
    const answer = await sendProfile(site, headers, { social_links: { [name]: input } })
    expect(answer.statusCode).toBe(stored === undefined ? 400 : 200)
    const { social_links } = await readProfile(site, id)
    expect(social_links).toEqual(stored === undefined ? {} : { [name]: stored })
  })

  test('can come from another client: as twitter, null or empty, with unknown sites', async () => {
    const social_links = { twitter: '@me', github: null, youtube: '', twitch: ' ', tiktok: '@me', mastodon: 5 }
    expect((await changeProfile(site, headers, { social_links })).social_links).toEqual({ x: 'https://x.com/me' })
    const both = { twitter: '@old', x: '@new' }
    expect((await changeProfile(site, headers, { social_links: both })).social_links).toEqual({
      x: 'https://x.com/new',
    })
  })

  test('that are invalid are named, keep their stored values, and the rest is saved', async () => {
    await changeProfile(site, headers, { social_links: { github: 'me', discord: 'mara', x: 'old' } })
    const body = { bio: 'New', social_links: { github: 'https://evil.example', x: 'new', twitter: '', discord: '' } }
    const response = await sendProfile(site, headers, body)
    expect([response.statusCode, response.json()]).toMatchObject([
      200,
      {
        warnings: { 'social_links.github': 'GitHub link must lead to github.com.' },
        profile: { bio: 'New', social_links: { github: 'https://github.com/me', x: 'https://x.com/new' } },
      },
    ])
    const { profile } = response.json()
    expect(profile.social_links).not.toHaveProperty('discord')
    expect([...Value.Errors(memberOperations['PUT /api/user-profiles'].response[200], response.json())]).toEqual([])
    const wrong = await sendProfile(site, headers, { ...body, bio: 'b'.repeat(1001) })
    expect(Object.keys(wrong.json().fields).toSorted()).toEqual(['bio', 'social_links.github'])
  })

  test('are an error if nothing else is to be saved', async () => {
    const response = await sendProfile(site, headers, { user_id: id, social_links: { github: 'https://evil.example' } })
    expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, ['social_links.github']])
  })

  test('replace all former ones', async () => {
    await changeProfile(site, headers, { social_links: { github: 'https://github.com/me', discord: 'mara' } })
    const { social_links } = await changeProfile(site, headers, { social_links: { github: '', x: 'https://x.com/me' } })
    expect(social_links).toEqual({ x: 'https://x.com/me' })
  })
})

describe('images', () => {
  test('are stored, returned by their path, and removed', async () => {
    const [face, banner] = [await uniquePng(), await uniquePng()]
    const profile = await changeProfile(site, headers, { profile_image: dataUrl(face), banner_image: dataUrl(banner) })
    for (const address of [profile.profile_image, profile.banner_image, profile.avatar_url]) {
      expect((await site.app.inject(address ?? '')).headers['content-type']).toBe('image/webp')
    }
    expect(profile.profile_image).not.toBe(profile.banner_image)
    // A form may send back the path that it received.
    const again = await changeProfile(site, headers, { profile_image: profile.profile_image, banner_image: '' })
    expect([again.profile_image, again.banner_image]).toEqual([profile.profile_image, null])
    expect((await changeProfile(site, headers, { profile_image: null })).profile_image).toBeNull()
  })
})

describe('a new name', () => {
  test('is on the cards of all scripts and finds them', async () => {
    await makeScript(site.db, { author_id: id, title: 'Spring', tags: ['motion'], authorName: 'user' })
    const hidden = await makeScript(site.db, { author_id: id, is_public: false, authorName: 'user' })
    await listed(`author=${id}`)
    await changeProfile(site, headers, { display_name: 'Jürgen Quux' })
    expect((await listed(`author=${id}`)).scripts[0]?.author_name).toBe('Jürgen Quux')
    for (const words of ['jurgen quux', 'quux spring', 'quux motion']) {
      expect((await listed(`search=${encodeURIComponent(words)}`)).pagination.total, words).toBe(1)
    }
    await changeProfile(site, headers, { display_name: '' })
    expect((await listed('search=quux')).pagination.total).toBe(0)
    const own = await site.app.inject({ url: `/api/scripts?author=${id}&search=quux`, headers })
    expect(own.json<ScriptList>().scripts.map((script) => script.id)).not.toContain(hidden)
  })

  test('set during concurrent publishing reaches all scripts', async () => {
    const rounds = Array.from({ length: 10 }, (_, round) => `Name${round}x${id}`)
    for (const name of rounds) {
      const title = `Made beside ${name}`
      const publishing = site.app.inject({
        method: 'POST',
        url: '/api/scripts',
        headers,
        payload: { title, description: 'Text.', script_content: 'return 1' },
      })
      await Promise.all([changeProfile(site, headers, { display_name: name }), publishing])
      expect((await listed(`search=${name}`)).pagination.total, name).toBe(rounds.indexOf(name) + 1)
    }
  })
})

describe("another member's profile", () => {
  test.each(['id', 'digits', 'slug', 'zero'])('is rejected by %s, and nothing changes', async (form) => {
    const other = await makeMember(site.db, { bio: 'Mine.' })
    const forms = { id: other, digits: String(other), slug: `user${other}`, zero: 0 } as Record<string, unknown>
    const answer = await sendProfile(site, { ...headers, 'user-id': String(other) } as typeof headers, {
      user_id: forms[form],
      bio: 'Yours.',
    })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'not_your_profile'])
    expect((await readProfile(site, other)).bio).toBe('Mine.')
    expect((await readProfile(site, id)).bio).toBeNull()
  })

  test('cannot be changed even by admins', async () => {
    const admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
    expect((await sendProfile(site, admin, { user_id: id, bio: 'Yours.' })).statusCode).toBe(403)
  })

  test('is recognized by a number or digits', async () => {
    await changeProfile(site, headers, { user_id: id, bio: 'One.' })
    expect((await changeProfile(site, headers, { user_id: String(id), bio: 'Two.' })).bio).toBe('Two.')
  })
})

describe('a member', () => {
  test('a muted member gets an error with the end of the mute', async () => {
    const until = new Date(Date.now() + 3_600_000)
    await site.db.updateTable('members').set({ muted_until: until }).where('id', '=', id).execute()
    const answer = await sendProfile(site, headers, { bio: 'Loud.' })
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      403,
      `You are muted until ${formatTime(until)}. You can browse but not post.`,
    ])
  })

  test.each([
    ['banned', 'banned_until', 401],
    ['muted', 'muted_until', 403],
  ] as const)('a member who is %s during the request changes nothing', async (_what, column, status) => {
    const client = await site.pool.connect()
    try {
      await client.query('begin')
      await client.query(`update members set ${column} = 'infinity' where id = $1`, [id])
      const writing = sendProfile(site, headers, { bio: 'Too late.' })
      // The change waits for the transaction of the ban.
      const waiting = () => site.pool.query(`select 1 from pg_locks where not granted`)
      await expect.poll(async () => (await waiting()).rowCount, { timeout: 10_000 }).toBeGreaterThan(0)
      await client.query('commit')
      expect((await writing).statusCode).toBe(status)
    } finally {
      client.release()
    }
    const { bio } = await site.db.selectFrom('members').select('bio').where('id', '=', id).executeTakeFirstOrThrow()
    expect(bio).toBeNull()
  })

  test('two concurrent saves do not deadlock', async () => {
    for (let round = 0; round < 20; round++) {
      const both = [
        { bio: `A${round}`, location: 'A' },
        { bio: `B${round}`, location: 'B' },
      ]
      const answers = await Promise.all(both.map((body) => sendProfile(site, headers, body)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      const { bio, location } = await readProfile(site, id)
      expect(bio).toBe(`${location}${round}`)
    }
  })
})
