// A client that knows the site's original specification only: the calls that its pages made, with the token of the URL for all
// of them. It lives a whole life, once with bodies as documented and once with those that a form library would send.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataUrl, uniquePng } from '#tests/support/images.ts'
import { choosePerson, createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'

type Json = Record<string, ReturnType<typeof JSON.parse>>
/** Changes a body before it is sent. */
type Shape = (body: Json) => Json

const plain: Shape = (body) => body

/** Numbers as text, empty text for absent fields, and fields that no call knows. */
const loose: Shape = (body) => ({
  ...EMPTY,
  ...Object.fromEntries(Object.entries(body).map(([name, value]) => [name, loosen(value)])),
  author_id: 1,
  updated_at: 'now',
  form: { touched: true },
})

/** Optional fields that forms send empty. An empty text clears others. */
const EMPTY = { duration: '', max_entries: '', severity: '', type: '', version: '', prize_type: '', badge_color: '' }

function loosen(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(loosen)
  if (typeof value !== 'object' || value === null) return value
  return { ...Object.fromEntries(Object.entries(value).map(([key, each]) => [key, loosen(each)])), surplus: 1 }
}

let site: SignInSite
let origin: string
beforeAll(async () => {
  site = await createSignInSite()
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => site.close())

interface User {
  id: number
  username: string
}

class Client {
  readonly #shape: Shape
  #token = ''
  #cookie = ''
  user: User = { id: 0, username: '' }

  constructor(shape: Shape) {
    this.#shape = shape
  }

  /** Throws the sentence of an error response. */
  async call<T = Json>(method: string, path: string, body?: Json | FormData): Promise<T> {
    const isForm = body instanceof FormData
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
        ...(this.#cookie ? { cookie: this.#cookie } : {}),
        ...(isForm ? {} : { 'content-type': 'application/json' }),
        'user-id': String(this.user.id),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(this.#shape(body)) } : {}),
    })
    this.#cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? this.#cookie
    const answer = (await response.json()) as Json
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer as T
  }

  get = (path: string) => this.call('GET', path)
  post = (path: string, body: Json) => this.call('POST', path, body)
  put = (path: string, body: Json) => this.call('PUT', path, body)
  remove = (path: string, body?: Json) => this.call('DELETE', path, body)

  /** Stores the token of the URL and ignores what responses carry besides their bodies. */
  async signIn(): Promise<this> {
    const { authUrl } = await this.get('/discord-auth')
    const callback = await choosePerson(new URL(authUrl), 'new')
    const response = await fetch(`${origin}${callback}`, { headers: { cookie: this.#cookie }, redirect: 'manual' })
    const { searchParams } = new URL(response.headers.get('location') ?? '', origin)
    this.#token = searchParams.get('token') ?? ''
    this.user = (await this.get('/user-profile')) as User
    return this
  }
}

const makeAdmin = ({ user }: Client) => sql`update members set is_admin = true where id = ${user.id}`.execute(site.db)

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const FORM = {
  description: 'Opens doors.',
  script_content: 'print("open")',
  has_key_system: false,
  key_system_url: '',
  is_universal: false,
  game_id: 920_587_237,
  is_client_side: true,
  is_free: true,
}

async function publish(client: Client, title: string): Promise<{ id: number; slug: string }> {
  const image = dataUrl(await uniquePng())
  const body = { ...FORM, title, image, tags: JSON.stringify(['doors', 'ui']) }
  const { script } = await client.post('/scripts', body)
  expect(script).toMatchObject({ id: expect.any(Number), title })
  return { id: script.id, slug: `x-${script.id}` }
}

describe.each([
  ['as documented', plain],
  ['as text, with empty and surplus fields', loose],
])('a client of the specification, with bodies %s', (_name, shape) => {
  let author: Client
  let member: Client
  let admin: Client
  beforeAll(async () => {
    author = await new Client(shape).signIn()
    member = await new Client(shape).signIn()
    admin = await new Client(shape).signIn()
    await makeAdmin(admin)
    // Later calls have the token of the URL alone.
    await sql`update login_tokens set created_at = now() - interval '2 minutes'`.execute(site.db)
  })

  test('publishes, lists, edits, rates and deletes scripts', async () => {
    const { id, slug } = await publish(author, 'Door opener')
    const flags = ['no_keysystem', 'free_only', 'mobile_compatible', 'working_scripts', 'universal_only', 'fe_only']
    for (const query of [
      'page=1&limit=20&sort=created_at&order=desc&search=door&tags=doors,ui',
      'page=1&limit=20&sort=title&order=asc&featured=true&search=&tags=',
      ...flags.map((flag) => `page=1&limit=20&sort=rating_average&order=desc&${flag}=true`),
      'page=1&limit=20&sort=view_count&order=desc&verified_creators=true&paid_only=true&_=1',
      'page=1&limit=20&game_specific_only=true&client_side_only=true&sort=download_count&order=desc',
      'page=1&limit=20&showcased=true&sort=showcase_date&order=desc',
      'page=1&limit=20&sort=rating_average&order=desc&min_rating=3.5&min_views=100&search=x',
    ]) {
      expect(await member.get(`/scripts?${query}`)).toMatchObject({ pagination: { pages: expect.any(Number) } })
    }
    expect((await member.get(`/scripts?author=${author.user.id}&limit=50`)).scripts).toHaveLength(1)
    expect((await member.get('/script-tags')).tags.length).toBeGreaterThanOrEqual(2)
    const { script, comments } = await member.get(`/script-details-slug?slug=${slug}`)
    expect([script, comments]).toMatchObject([{ title: 'Door opener', version: '1.0.0', game_id: '920587237' }, []])

    const form = { title: 'Door opener 2', description: FORM.description, script_content: 'print("open 2")' }
    await author.put(`/script-details?id=${id}`, { ...FORM, ...form, tags: ['doors'], version: '1.1' })
    await author.put(`/script-details?id=${id}`, { image: dataUrl(await uniquePng()) })
    expect((await author.get(`/script-details-slug?slug=${slug}`)).script).toMatchObject({ ...form, version: '1.1' })

    await member.post(`/script-rating?id=${id}`, { rating: 4, review: '' })
    await member.post(`/script-rating?id=${id}`, { rating: 5, review: 'Works.' })
    const { ratings, summary } = await author.get(`/script-rating?id=${id}`)
    expect([ratings, summary]).toMatchObject([[{ rating: 5, review: 'Works.' }], { average_rating: 5, five_star: 1 }])

    await author.remove(`/script-details?id=${id}`)
    await expect(author.get(`/script-details-slug?slug=${slug}`)).rejects.toThrow('404')
  })

  test('uploads a file with surplus fields', async () => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(await uniquePng())], { type: 'image/png' }), 'cover.png')
    form.set('kind', 'cover')
    form.set('crop', JSON.stringify({ x: 0 }))
    expect(await author.call('POST', '/media', form)).toMatchObject({ url: expect.stringMatching(/^\/media\//) })
  })

  test('reads and clears notifications, and gives reputation', async () => {
    const path = `/profile-reputation?target_user_id=${author.user.id}`
    expect(await member.get(path)).toMatchObject({ can_give_reputation: true, daily_used: 0 })
    expect(await member.post('/profile-reputation', { target_user_id: author.user.id })).toMatchObject({
      new_reputation: 1,
    })
    const { notifications } = await author.get('/user-notifications')
    const [{ id }] = notifications
    await author.post('/user-notifications', { action: 'mark_read', notification_id: id, mark_all_read: false })
    await author.post('/user-notifications', { action: 'mark_read', mark_all_read: true })
    await author.remove(`/user-notifications?notification_id=${id}`)
    await author.remove('/user-notifications')
    expect(await author.get('/user-notifications')).toEqual({
      notifications: [],
      unread_count: 0,
      pagination: { next_cursor: null },
    })
  })

  test('changes and reads profiles', async () => {
    const { id, username } = member.user
    const privacy = { show_email: false, show_location: true, show_website: true, show_social_links: true }
    const form = {
      user_id: id,
      display_name: 'Mara',
      bio: '',
      location: '',
      website: '',
      social_links: { twitter: '@mara', github: 'mara', instagram: '', tiktok: 'mara' },
      profile_image: dataUrl(await uniquePng()),
      banner_image: '',
      privacy_settings: {
        ...privacy,
        profile_visibility: 'private',
        show_script_stats: true,
        show_recent_activity: true,
      },
    }
    await member.put('/user-profiles', form)
    expect((await member.get(`/user-profiles?user_id=${id}`)).profile).toMatchObject({
      display_name: 'Mara',
      bio: null,
      social_links: { x: 'https://x.com/mara', github: 'https://github.com/mara' },
    })
    const { profile } = await author.get(`/user-profiles?user_id=${username}`)
    expect(profile).toMatchObject({ script_stats: { reputation: null }, created_at: expect.any(String) })
    await member.put('/user-profiles', {
      ...form,
      profile_image: '',
      privacy_settings: { profile_visibility: 'public' },
    })
  })

  test('creates, changes, enters, draws and deletes giveaways', async () => {
    const form = {
      title: 'A key',
      description: '',
      prize_type: 'exec_key',
      prize_description: '',
      prize_value: 'KEY-1',
      end_date: `${inDays(3)}T23:59:59`,
      entry_requirement: 'login',
      winner_count: 1,
    }
    const { giveaway } = await admin.post('/giveaways', { ...form, is_active: true })
    await admin.put('/giveaways', { id: giveaway.id, ...form, title: 'One key', max_entries: 5, is_active: true })
    await member.post('/giveaways', { action: 'enter', giveaway_id: giveaway.id })
    const { data } = await member.get('/giveaways')
    expect(data.giveaways[0]).toMatchObject({ title: 'One key', user_entered: true, entry_count: 1, max_entries: 5 })
    expect((await admin.get('/giveaways?admin=true&status=all')).giveaways[0]).toMatchObject({ id: giveaway.id })
    const drawn = await admin.post('/giveaways', { action: 'select-winners', giveaway_id: giveaway.id })
    expect(drawn).toMatchObject({ message: '1 winner selected', winners: [{}] })
    await admin.remove('/giveaways', { id: giveaway.id })
  })

  test('manages scripts and showcases', async () => {
    const { id } = await publish(author, 'Showcase')
    await author.put(`/script-details?id=${id}`, { is_public: false })
    for (const query of ['page=1&limit=10&sort=created_at&order=desc', 'limit=100&sort=created_at&order=desc']) {
      const { scripts, pagination } = await admin.get(`/scripts?${query}`)
      expect(scripts[0]).toMatchObject({ id, is_public: false })
      expect(pagination.total).toBe((await admin.get('/admin-keys?type=stats')).total_scripts)
    }
    await author.put(`/script-details?id=${id}`, { is_public: true })
    const details = { script_id: id, showcase_date: inDays(0), showcase_video_url: '', showcase_notes: '' }
    await admin.post('/showcases', { script_id: id })
    const changed = await admin.put('/showcases', { ...details, showcase_notes: 'Nice.' })
    expect(changed['script']).toMatchObject({ is_showcased: true, showcase_notes: 'Nice.' })
    await admin.remove('/showcases', { script_id: id })
    for (const action of ['script_feature', 'script_verify', 'script_delete']) {
      expect(await admin.post('/admin-keys', { action, script_id: id })).toMatchObject({ message: expect.any(String) })
    }
  })

  test('performs every action of the portal', async () => {
    const target = await new Client(shape).signIn()
    const { id: user_id } = target.user
    const act = (action: string, extras: Json = {}) => admin.post('/admin-keys', { action, user_id, ...extras })
    const findUser = async () => {
      const { users } = await admin.get('/admin-keys?type=users')
      return users.find(({ id }: User) => id === user_id)
    }
    const stats = await admin.get('/admin-keys?type=stats')
    expect((await admin.get('/admin-keys?type=users')).users).toHaveLength(stats['total_users'])

    const texts = { title: '', custom_badge: 'Builder', notes: '' }
    await act('edit_user', { ...texts, reputation: '12abc' })
    expect(await findUser()).toMatchObject({ reputation: 12, custom_badge: 'Builder', badge_color: '#6366f1' })
    await act('warn_user', { reason: 'Spam', severity: 'minor', duration: 30 })
    await act('mute_user', { reason: 'Spam', duration: 24 })
    expect(Date.parse((await findUser()).mute_expires_at)).toBeGreaterThan(Date.now())
    await act('unmute_user', { reason: '' })
    await act('mute_user', { reason: 'Spam', duration: 'permanent' })
    expect(Date.parse((await findUser()).mute_expires_at)).toBeGreaterThan(Date.now())
    await act('unmute_user')
    for (const action of ['make_moderator', 'remove_moderator', 'make_admin', 'remove_admin']) {
      await act(action, { reason: '' })
    }
    await act('ban_user', { reason: 'Spam', duration: 'permanent' })
    await expect(target.get('/user-notifications')).rejects.toThrow('401')
    expect(await findUser()).toMatchObject({ is_banned: true, ban_expires_at: '9999-12-31T23:59:59.999Z' })
    await act('unban_user', { reason: '' })

    const bulk = (bulk_action: string, extras: Json = {}) =>
      admin.post('/admin-keys', { action: 'bulk_action', bulk_action, user_ids: [user_id], ...extras })
    for (const [action, extras] of [
      ['ban', { reason: 'Spam', duration: 720 }],
      ['unban', { reason: '' }],
      ['make_moderator', { reason: '' }],
      ['remove_moderator', { reason: '' }],
      ['warn', { reason: 'Spam' }],
    ] as const) {
      const done = await bulk(action, extras)
      expect(done).toEqual({ message: 'Bulk action completed for 1 users', failed: [] })
    }
    const message = { action: 'send_notification', title: 'Hello', message: 'All of you.', type: 'info' }
    await admin.post('/admin-keys', { ...message, user_id, send_to_all: false })
    await admin.post('/admin-keys', { ...message, user_id: '', send_to_all: true })
    expect((await findUser()).warning_count_active).toBe(2)
  })

  test('gets a sentence for a wrong value', async () => {
    await expect(author.post('/scripts', { ...FORM, title: '' })).rejects.toThrow('Title must not be empty.')
    await expect(member.post('/script-rating?id=1', { rating: 9 })).rejects.toThrow('Rating must be at most 5.')
    await expect(admin.post('/admin-keys', { action: 'fly' })).rejects.toThrow('This action does not exist.')
    await expect(admin.post('/giveaways', { title: 'A', end_date: 'soon' })).rejects.toThrow(
      'End date must be a day such as 2030-01-31, or a time.',
    )
  })
})
