import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StableProfile, memberOperations, type PrivacySettings, type Profile } from '#contract/members.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { requestProfile, readProfile } from '#tests/support/profiles.ts'

const VIEWERS = ['visitor', 'member', 'muted', 'moderator', 'admin', 'owner'] as const
type Viewer = (typeof VIEWERS)[number]
const SEES_ALL = new Set<Viewer>(['owner', 'admin'])

type Switch = Exclude<keyof PrivacySettings, 'profile_visibility'>
/** The field of the profile that each switch shows or hides. */
const COVERED: Record<Switch, { read: (profile: Profile) => unknown; shown: unknown; hidden: unknown }> = {
  show_email: { read: ({ email }) => email, shown: 'mara@example.com', hidden: null },
  show_location: { read: ({ location }) => location, shown: 'Graz', hidden: null },
  show_website: { read: ({ website }) => website, shown: 'https://example.com/', hidden: null },
  show_social_links: {
    read: ({ social_links }) => social_links,
    shown: { github: 'https://github.com/mara' },
    hidden: {},
  },
  show_script_stats: {
    read: ({ script_stats }) => Object.values(script_stats).every((value) => value === null),
    shown: false,
    hidden: true,
  },
  show_recent_activity: { read: ({ last_seen_at }) => last_seen_at, shown: '2026-01-02T03:04:05.000Z', hidden: null },
}
const SWITCHES = Object.keys(COVERED) as Switch[]

let site: TestApp
let headers: Record<Exclude<Viewer, 'owner'>, Partial<Awaited<ReturnType<typeof signIn>>>>
beforeAll(async () => {
  site = await createTestApp()
  const as = async (columns: object) => signIn(site.db, await makeMember(site.db, columns))
  headers = {
    visitor: {},
    member: await as({}),
    muted: await as({ muted_until: 'infinity' }),
    moderator: await as({ is_moderator: true }),
    admin: await as({ is_admin: true }),
  }
})
afterAll(() => site.close())

async function makeOwner(columns: object = {}): Promise<number> {
  const id = await makeMember(site.db, {
    display_name: 'Mara',
    avatar: 'a_12',
    bio: 'Hello.',
    email: 'mara@example.com',
    location: 'Graz',
    website: 'https://example.com/',
    social_links: JSON.stringify({ github: 'https://github.com/mara' }),
    title: 'Author',
    custom_badge: 'Star',
    badge_color: '#112233',
    notes: 'An inner remark.',
    reputation: 7,
    created_at: new Date('2025-06-07T08:09:10Z'),
    last_seen_at: new Date('2026-01-02T03:04:05Z'),
    ...columns,
  })
  await makeScript(site.db, { author_id: id, stats: { view_count: 10, five_star: 2, two_star: 1 } })
  return id
}

const see = async (ownerId: number, viewer: Viewer) =>
  readProfile(site, ownerId, viewer === 'owner' ? await signIn(site.db, ownerId) : headers[viewer])

describe.each(SWITCHES)('%s', (name) => {
  test.each(VIEWERS)('hides only its field from the right viewers: %s', async (viewer) => {
    // Everything shown but this, then everything hidden but this.
    for (const isShown of [false, true]) {
      const others = Object.fromEntries(SWITCHES.map((each) => [each, !isShown]))
      const profile = await see(await makeOwner({ ...others, [name]: isShown }), viewer)
      for (const each of SWITCHES) {
        const isVisible = SEES_ALL.has(viewer) || (each === name ? isShown : !isShown)
        const { read, shown, hidden } = COVERED[each]
        expect(read(profile), each).toEqual(isVisible ? shown : hidden)
      }
      expect(profile.privacy_settings).toEqual({ profile_visibility: 'public', ...others, [name]: isShown })
      expect(profile).toMatchObject({ bio: 'Hello.', title: 'Author', custom_badge: 'Star', badge_color: '#112233' })
    }
  })
})

describe('a private profile', () => {
  test.each(VIEWERS.filter((viewer) => SEES_ALL.has(viewer)))('is complete for %s', async (viewer) => {
    const profile = await see(await makeOwner({ is_private: true }), viewer)
    expect(profile).toMatchObject({ is_hidden: false, email: 'mara@example.com', bio: 'Hello.' })
    expect(profile.script_stats.scripts_uploaded).not.toBeNull()
  })

  test.each(VIEWERS.filter((viewer) => !SEES_ALL.has(viewer)))(
    'shows only name, avatar and the time of joining to %s',
    async (viewer) => {
      const id = await makeOwner({ is_private: true, show_email: true, is_moderator: true })
      const profile = await see(id, viewer)
      expect([...Value.Errors(memberOperations['GET /api/user-profiles'].response[200], { profile })]).toEqual([])
      const { user_id, slug, username, display_name, avatar_url, privacy_settings, badge_color, ...rest } = profile
      expect([user_id, display_name]).toEqual([id, 'Mara'])
      expect([slug, username]).toEqual([username, slug])
      expect(avatar_url).toBe('')
      expect(privacy_settings.profile_visibility).toBe('private')
      expect(badge_color).toBe('#6366f1')
      expect(Date.parse(profile.created_at)).toBeGreaterThan(0)
      const none = { scripts_uploaded: null, reputation: null, total_views: null, average_rating: null }
      const visible = Object.entries(rest).filter(([, value]) => value !== null && value !== false)
      expect(visible).toEqual([
        ['is_hidden', true],
        ['social_links', {}],
        ['created_at', profile.created_at],
        ['script_stats', none],
      ])
      const { profile: stable } = (await site.app.inject(`/api/v1/members/${id}`)).json()
      expect([...Value.Errors(StableProfile, stable)]).toEqual([])
      expect(stable).toEqual({ ...profile, script_stats: null })
    },
  )
})

test('the Discord id of a private profile is not on cards and reviews, from the moment it becomes private', async () => {
  const id = await makeMember(site.db, { avatar: 'a_12', discriminator: '7' })
  const member = await signIn(site.db, id)
  const { discord_id } = await site.db
    .selectFrom('members')
    .select('discord_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const own = await makeScript(site.db, { author_id: id })
  const rated = await makeScript(site.db)
  const rating = { method: 'POST' as const, url: `/api/script-rating?id=${rated}`, headers: member }
  await site.app.inject({ ...rating, payload: { rating: 4, review: 'Good.' } })
  const read = async () => {
    const urls = [
      '/api/scripts?limit=100',
      `/api/script-details-slug?slug=x-${own}`,
      `/api/script-details-slug?slug=x-${rated}`,
      `/api/script-rating?id=${rated}`,
      `/api/user-profiles?user_id=${id}`,
    ]
    const responses = await Promise.all(urls.map((url) => site.app.inject(url)))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(urls.map(() => 200))
    return responses.map(({ payload }) => payload.includes(String(discord_id)))
  }
  expect(await read()).toEqual([true, true, true, true, true])
  const payload = { privacy_settings: { profile_visibility: 'private' } }
  await site.app.inject({ method: 'PUT', url: '/api/user-profiles', headers: member, payload })
  expect(await read()).toEqual([false, false, false, false, false])
})

test('a profile never contains internal fields', async () => {
  const answer = await requestProfile(site, await makeOwner(), headers.admin)
  expect(answer.payload).not.toContain('inner remark')
  expect(Object.keys(answer.json<{ profile: object }>().profile).toSorted()).toEqual(
    Object.keys(memberOperations['GET /api/user-profiles'].response[200].properties.profile.properties).toSorted(),
  )
})

describe('the script stats', () => {
  test('are sums over the visible scripts and the mean of all ratings', async () => {
    const id = await makeOwner()
    await makeScript(site.db, { author_id: id, stats: { view_count: 5, one_star: 1 } })
    await makeScript(site.db, { author_id: id, is_public: false, stats: { view_count: 100, five_star: 6 } })
    const open = { scripts_uploaded: 2, total_views: 15, average_rating: 13 / 4, reputation: 7 }
    for (const viewer of ['visitor', 'member', 'moderator'] as const) {
      expect((await see(id, viewer)).script_stats).toEqual(open)
    }
    const whole = { scripts_uploaded: 3, total_views: 115, average_rating: 43 / 10, reputation: 7 }
    for (const viewer of ['owner', 'admin'] as const) expect((await see(id, viewer)).script_stats).toEqual(whole)
  })

  test('are zero without a script', async () => {
    const { script_stats } = await readProfile(site, await makeMember(site.db))
    expect(script_stats).toEqual({ scripts_uploaded: 0, total_views: 0, average_rating: 0, reputation: 0 })
  })
})

describe('the profile of a banned member', () => {
  test.each(VIEWERS.filter((viewer) => viewer !== 'owner'))('is visible only to admins: %s', async (viewer) => {
    const id = await makeOwner({ banned_until: 'infinity' })
    const answer = await requestProfile(site, id, headers[viewer])
    expect(answer.statusCode).toBe(viewer === 'admin' ? 200 : 404)
  })

  test('is not visible to themselves: their session has ended', async () => {
    const id = await makeOwner()
    const own = await signIn(site.db, id)
    await site.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', id).execute()
    expect((await requestProfile(site, id, own)).statusCode).toBe(404)
  })

  test('is back when the ban is over', async () => {
    const id = await makeOwner({ banned_until: new Date(Date.now() - 1000) })
    expect((await requestProfile(site, id)).statusCode).toBe(200)
  })
})
