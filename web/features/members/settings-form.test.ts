import { describe, expect, test } from 'vitest'
import type { Profile } from '#contract/members.ts'
import { changedFields, formOf, inputOf, type SettingsForm } from './settings-form.ts'

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
  inputOf({ ...form, ...changed }, saved, async (given) => `data:${given.name}`)

describe('the form of the settings', () => {
  test('differs in nothing when nothing was touched', async () => {
    expect(changedFields(form, saved)).toEqual([])
    expect(await send({})).toEqual({ user_id: 7 })
  })

  test('sends what was changed and nothing else', async () => {
    expect(await send({ bio: 'Hello.' })).toEqual({ user_id: 7, bio: 'Hello.' })
    expect(await send({ location: '' })).toEqual({ user_id: 7, location: '' })
  })

  test('sends all links when one was changed, and none that are empty', async () => {
    const social_links = { ...form.social_links, github: ' ', x: ' https://x.com/ada ' }
    expect(await send({ social_links })).toEqual({
      user_id: 7,
      social_links: { discord: 'ada', x: 'https://x.com/ada' },
    })
  })

  test('sends a chosen picture as a data URL and a removed one as empty text', async () => {
    expect(await send({ profile_image: file, banner_image: 'none' })).toEqual({
      user_id: 7,
      profile_image: 'data:x.png',
      banner_image: '',
    })
  })

  test('sends all privacy settings when one was turned', async () => {
    const privacy_settings = { ...saved.privacy_settings, show_email: true }
    expect(await send({ privacy_settings })).toEqual({ user_id: 7, privacy_settings })
  })

  test('is as before when a change was taken back', () => {
    expect(changedFields({ ...form, bio: 'x' }, saved)).toEqual(['bio'])
    expect(changedFields({ ...form, bio: '' }, saved)).toEqual([])
    expect(changedFields({ ...form, profile_image: file }, saved)).toEqual(['profile_image'])
  })
})
