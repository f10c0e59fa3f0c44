import { describe, expect, test } from 'vitest'
import type { Profile } from '#contract/members.ts'
import { ApiError } from '#web/lib/api-error.ts'
import {
  changedFields,
  describeSaveError,
  formOf,
  inputOf,
  mergeSaved,
  restoreRejected,
  type SettingsForm,
  validateImage,
  withScheme,
} from './settings-form.ts'

const saved = {
  user_id: 7,
  display_name: 'Ada',
  bio: null,
  location: 'Leeds',
  website: null,
  social_links: { github: 'https://github.com/ada', discord: 'ada' },
  privacy_settings: {
    profile_visibility: 'public',
    show_email: false,
    show_location: true,
    show_website: true,
    show_social_links: true,
    show_script_stats: true,
    show_recent_activity: true,
  },
} as Partial<Profile> as Profile

const form = formOf(saved)
const file = new File(['x'], 'x.png', { type: 'image/png' })
const send = (changed: Partial<SettingsForm>) =>
  inputOf({ ...form, ...changed }, saved, async (field, { size }) => `/media/${field}-${size}.webp`)

describe('the settings form', () => {
  test('has no changes initially', async () => {
    expect(changedFields(form, saved)).toEqual([])
    expect(await send({})).toEqual({ user_id: 7 })
  })

  test('sends only changed fields', async () => {
    expect(await send({ bio: 'Hello.' })).toEqual({ user_id: 7, bio: 'Hello.' })
    expect(await send({ location: '' })).toEqual({ user_id: 7, location: '' })
  })

  test('sends all links but empty ones if one changed', async () => {
    const social_links = { ...form.social_links, github: ' ', x: ' https://x.com/ada ' }
    expect(await send({ social_links })).toEqual({
      user_id: 7,
      social_links: { discord: 'ada', x: 'https://x.com/ada' },
    })
  })

  test('sends the URL of an uploaded image and a removed one as an empty string', async () => {
    expect(await send({ profile_image: file, banner_image: 'none' })).toEqual({
      user_id: 7,
      profile_image: `/media/profile_image-${file.size}.webp`,
      banner_image: '',
    })
  })

  test('sends all privacy settings if one changed', async () => {
    const privacy_settings = { ...saved.privacy_settings, show_email: true }
    expect(await send({ privacy_settings })).toEqual({ user_id: 7, privacy_settings })
  })

  test('has no changes after a change is undone', () => {
    expect(changedFields({ ...form, bio: 'x' }, saved)).toEqual(['bio'])
    expect(changedFields({ ...form, bio: '' }, saved)).toEqual([])
    expect(changedFields({ ...form, profile_image: file }, saved)).toEqual(['profile_image'])
  })

  test('shows what was saved, and keeps what was typed while saving', () => {
    const sent: SettingsForm = { ...form, website: ' example.com', profile_image: file }
    const response = { ...saved, website: 'https://example.com' }
    const bio = 'Typed while saving.'
    expect(mergeSaved({ ...sent, bio }, sent, response)).toEqual({ ...formOf(response), bio })
    expect(mergeSaved({ ...sent, profile_image: 'none' }, sent, response).profile_image).toBe('none')
  })
})

test.each([
  ['example.com', 'https://example.com'],
  [' example.com/a b ', 'https://example.com/a b'],
  ['sub.example.com:8080?x', 'https://sub.example.com:8080?x'],
  ['http://example.com', 'http://example.com'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['ada', 'ada'],
  ['ada@example.com', 'ada@example.com'],
  ['', ''],
])('completes %j to %j', (input, url) => {
  expect(withScheme(input)).toBe(url)
})

test.each([
  ['image/png', 3_145_728, undefined],
  ['image/png', 3_145_729, 'Image must be smaller than ~3MB'],
  ['text/plain', 10, 'Please select an image file.'],
  ['', 10, 'Please select an image file.'],
])('validates an image of type %j with %d bytes: %s', (type, size, text) => {
  expect(validateImage({ type, size })).toBe(text)
})

const TOO_LARGE = 'Image too large. Please use an image under ~3MB (or ~4MB base64).'

test.each([
  [new ApiError(413, 'Too much.', { error: 'Too much.' }), TOO_LARGE],
  [new ApiError(403, 'You are muted.', { error: 'You are muted.' }), 'You are muted.'],
  [new ApiError(502, 'HTTP 502', '<html>'), 'Failed to update profile.'],
  [new ApiError(0, 'Request failed'), 'Failed to update profile. Please try again.'],
  [new TypeError('x is undefined'), 'Failed to update profile. Please try again.'],
])('describes %o as %s', (error, text) => {
  expect(describeSaveError(error)).toBe(text)
})

test('a link that was not saved stays as it was typed', () => {
  const sent = { ...form, social_links: { ...form.social_links, github: 'nowhere', x: '@ada' } }
  const stored = { ...saved, social_links: { ...saved.social_links, x: 'https://x.com/ada' } }
  const shown = restoreRejected(mergeSaved(sent, sent, stored), sent, ['social_links.github', 'bio'])
  expect(shown.social_links).toMatchObject({ github: 'nowhere', x: 'https://x.com/ada', discord: 'ada' })
})
