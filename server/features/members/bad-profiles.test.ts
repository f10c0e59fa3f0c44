import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/operation.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { dataUrl, uniquePng } from '#tests/support/images.ts'
import { changeProfile, sendProfile } from '#tests/support/profiles.ts'

let site: TestApp
let id: number
let headers: Awaited<ReturnType<typeof signIn>>
beforeAll(async () => {
  site = await createTestApp()
  id = await makeMember(site.db, { bio: 'As it was.' })
  headers = await signIn(site.db, id)
})
afterAll(() => site.close())

const row = () => site.db.selectFrom('members').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Sends an invalid profile and returns the errors by field. Expects that it has changed nothing. */
async function rejected(body: unknown, status = 400): Promise<Record<string, string>> {
  const before = await row()
  const answer = await sendProfile(site, headers, body)
  expect(answer.statusCode, answer.payload).toBe(status)
  expect(await row()).toEqual(before)
  return answer.json<Problem>().fields ?? {}
}

const link = (length: number) => `https://example.com/${'a'.repeat(length - 'https://example.com/'.length)}`

describe('at its limits', () => {
  test.each([
    ['display_name', 'n'.repeat(50)],
    ['display_name', '🦊'.repeat(50)],
    ['display_name', ' نور الهدى '.trim()],
    ['bio', 'b'.repeat(1000)],
    ['bio', 'One\n\tTwo\n\nThree'],
    ['location', 'l'.repeat(100)],
    ['website', link(2048)],
  ])('%s is stored as %j', async (field, text) => {
    expect(await changeProfile(site, headers, { [field]: text })).toMatchObject({ [field]: text })
  })

  test.each([
    ['display_name', 'n'.repeat(51), 'Display name must have at most 50 characters.'],
    ['display_name', '🦊'.repeat(51), 'Display name must have at most 50 characters.'],
    ['bio', 'b'.repeat(1001), 'Bio must have at most 1000 characters.'],
    ['location', 'l'.repeat(101), 'Location must have at most 100 characters.'],
    ['website', link(2049), 'Website must have at most 2048 characters.'],
    // Percent-encoded, each of these characters is six times as long.
    ['website', `https://example.com/${'é'.repeat(400)}`, 'Website must have at most 2048 characters.'],
  ])('%s is rejected past the limit', async (field, text, sentence) => {
    expect(await rejected({ [field]: text })).toEqual({ [field]: sentence })
  })
})

describe('text', () => {
  const CONTROLS = ['\u0001', '\u0008', '\u001B', '\u007F']
  test.each(['display_name', 'bio', 'location'].flatMap((field) => CONTROLS.map((sign) => [field, sign] as const)))(
    'of %s with %j is rejected',
    async (field, sign) => {
      expect((await rejected({ [field]: `a${sign}b` }))[field]).toMatch(
        /^Line 1, column 2 \(U\+00[0-9A-F]{2}\): .* must not contain control characters\.$/,
      )
    },
  )

  test.each(['a\0b', 'a\uD800b', '\uDC00'])('that the database cannot store is rejected: %j', async (text) => {
    expect(await rejected({ bio: text, display_name: text })).toEqual({
      bio: 'Bio contains characters that are not allowed.',
      display_name: 'Display name contains characters that are not allowed.',
    })
  })

  test.each(['\u200B', '\u200B \uFEFF', '\u00AD', '\u3164'])(
    'without visible characters is no name: %j',
    async (text) => {
      expect(await rejected({ display_name: text })).toEqual({ display_name: 'Display name must not be empty.' })
    },
  )

  test.each(['\u202E', '\u2066', '\u202A'])('with text-direction characters is no name: %j', async (sign) => {
    expect(await rejected({ display_name: `abc${sign}def` })).toEqual({
      display_name: "Display name can't contain text-direction characters.",
    })
  })
})

const BAD_LINKS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.com',
  'blob:https://example.com/1',
  '//example.com',
  'example.com',
  '/profile/me',
  'https://',
  'http://[::1',
  'https://exa mple.com',
  'https://example.com\u0007',
  'https://exam\nple.com',
]

describe.each(['website', 'social_links.other', 'social_links.github', 'social_links.discord'])(
  'a link in %s',
  (field) => {
    const [whole = '', site_] = field.split('.')
    const put = (address: string) => ({ [whole]: site_ ? { [site_]: address } : address })

    // A valid name at Discord.
    const isName = (address: string) => field.endsWith('discord') && address === 'example.com'
    test.each(BAD_LINKS.filter((address) => !isName(address)))('is rejected as %j', async (address) => {
      const fields = await rejected(put(address))
      expect(Object.keys(fields)).toEqual([field])
      expect(fields[field]).toMatch(/must be a URL that starts with https:\/\/ or http:\/\/\.$/)
    })

    test.each(['https://me@github.com/x', 'https://me:secret@discord.com/x'])(
      'must not contain credentials: %j',
      async (address) => {
        expect((await rejected(put(address)))[field]).toMatch(/must not contain a user name or password\.$/)
      },
    )
  },
)

describe('a link to a known site', () => {
  test.each([
    ['youtube', 'https://youtube.com.evil.example/@me', 'YouTube link must lead to youtube.com'],
    ['youtube', 'https://vimeo.com/me', 'YouTube link must lead to youtube.com'],
    ['github', 'https://evilgithub.com/me', 'GitHub link must lead to github.com'],
    ['github', 'https://github.com:8443/me', 'GitHub link must lead to github.com'],
    ['github', 'https://example.com/?github.com', 'GitHub link must lead to github.com'],
    ['x', 'https://example.com\\@x.com', 'X link must lead to x.com'],
    ['twitch', 'https://youtube.com/@me', 'Twitch link must lead to twitch.tv'],
    ['roblox', 'https://rоblox.com/users/1', 'Roblox link must lead to roblox.com'],
    ['discord', 'https://discord.example/me', 'Discord link must lead to discord.com'],
  ])('as %s must have its host: %j', async (name, address, sentence) => {
    expect(await rejected({ social_links: { [name]: address } })).toEqual({
      [`social_links.${name}`]: `${sentence}.`,
    })
  })

  test.each(['a', 'two words', 'a..b', 'n'.repeat(33), 'name#12345', 'ünder'])(
    'as discord is an address or a name, not %j',
    async (name) => {
      expect(Object.keys(await rejected({ social_links: { discord: name } }))).toEqual(['social_links.discord'])
    },
  )
})

describe('the form', () => {
  test.each([
    ['social_links', { social_links: [] }],
    ['social_links', { social_links: { github: 1 } }],
    ['social_links', { social_links: null }],
    ['privacy_settings', { privacy_settings: { profile_visibility: 'friends' } }],
    ['privacy_settings', { privacy_settings: { show_email: 'yes' } }],
    ['privacy_settings', { privacy_settings: 'public' }],
    ['display_name', { display_name: 1 }],
    ['bio', { bio: ['a'] }],
    ['website', { website: {} }],
    ['profile_image', { profile_image: 1 }],
  ])('with a wrong %s is rejected, and the error names it', async (field, body) => {
    expect(Object.keys(await rejected(body))).toEqual([field])
  })

  test('gets errors for all wrong fields at once', async () => {
    const wrong = {
      display_name: '\u0001',
      bio: 'b'.repeat(1001),
      website: 'x',
      social_links: { x: 'no name', other: 'z' },
    }
    expect(Object.keys(await rejected(wrong)).toSorted()).toEqual(
      ['bio', 'display_name', 'social_links.other', 'social_links.x', 'website'].toSorted(),
    )
  })

  test('does not change what only the site or an admin changes', async () => {
    const before = await row()
    const surplus = {
      title: 'Boss',
      custom_badge: 'Star',
      badge_color: '#ffffff',
      username: 'other',
      slug: 'other',
      email: 'a@example.com',
      is_admin: true,
      is_moderator: true,
      reputation: 1000,
      banned_until: null,
      subscription_type: 'premium',
      discord_id: '1',
      privacy_settings: { show_notes: true },
      social_links: { myspace: 'https://example.com' },
    }
    expect((await sendProfile(site, headers, surplus)).statusCode).toBe(200)
    expect(await row()).toEqual(before)
  })

  test.each(['', '{', '[]', 'null', '"bio"', '1', `${'['.repeat(5000)}${']'.repeat(5000)}`])(
    'is rejected as %j',
    async (body) => {
      expect(Object.keys(await rejected(body))).toEqual([])
    },
  )
})

describe('an image', () => {
  test.each([
    ['text', 'hello'],
    ['an address elsewhere', 'https://example.com/a.png'],
    ['an image that is not here', `/media/${'0'.repeat(64)}.webp`],
    ['a path out of the folder', '/media/../../etc/passwd'],
    ['a data URL without an image', 'data:text/html;base64,PGI+'],
    ['nothing in a data URL', 'data:image/png;base64,'],
    ['SVG', dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
    ['SVG under another name', dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
  ])('is rejected as %s, and the error names it', async (_what, input) => {
    for (const field of ['profile_image', 'banner_image']) {
      expect(Object.keys(await rejected({ [field]: input, bio: 'Changed' }))).toEqual([field])
    }
  })

  test('is rejected when it is truncated', async () => {
    const whole = await uniquePng()
    const half = dataUrl(whole.subarray(0, whole.length / 2))
    expect(Object.keys(await rejected({ profile_image: half }))).toEqual(['profile_image'])
  })

  test('of more than 3 MiB is too large, and so is a body with two large ones', async () => {
    const sentence = 'Image too large. Please use an image under ~3MB (or ~4MB base64).'
    expect(await rejected({ banner_image: dataUrl(Buffer.alloc(3_145_729)) }, 413)).toEqual({ banner_image: sentence })
    await rejected({ banner_image: dataUrl(Buffer.alloc(9_000_000)) }, 413)
  })
})
