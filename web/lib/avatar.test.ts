import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { avatarSources, defaultAvatar, defaultAvatarIndex, discordAvatar } from './avatar.ts'

const cdn = 'https://cdn.example'

test.each([
  ['abc', 'png'],
  ['a_abc', 'gif'],
])('requests %s from Discord as %s', (hash, extension) => {
  expect(discordAvatar(cdn, '12', hash)).toBe(`${cdn}/avatars/12/${hash}.${extension}?size=128`)
})

test('tries the profile image, the Discord avatar, the stored avatar and the default, in this order', () => {
  const member = {
    profile_image: '/media/x.webp',
    discord_id: '12',
    avatar: 'h',
    author_avatar: 'https://img.example/a.png',
  }
  expect(avatarSources(member, cdn, 64)).toEqual([
    '/media/x.webp',
    `${cdn}/avatars/12/h.png?size=64`,
    'https://img.example/a.png',
    '/default-avatar-0.svg',
    '/default-avatar.svg',
  ])
})

test.each([[`${cdn}/embed/avatars/3.png`], ['/default-avatar.png'], [''], [null]])(
  'passes over %j',
  (author_avatar) => {
    expect(avatarSources({ author_avatar }, cdn)).toEqual(['/default-avatar.svg'])
  },
)

test('requires an id and a hash for a Discord avatar', () => {
  expect(avatarSources({ discord_id: '13', avatar: null }, cdn)).toEqual([
    '/default-avatar-1.svg',
    '/default-avatar.svg',
  ])
})

test.each([
  ['7', '0', 1],
  ['7', undefined, 1],
  ['1000000000000000004', '0', 2],
  ['7', '1234', 4],
  ['7', '5', 0],
  ['seven', '0', 0],
  ['7', 'x', 0],
])('maps id %s with discriminator %s to default avatar %d', (id, discriminator, index) => {
  expect(defaultAvatarIndex(id, discriminator)).toBe(index)
})

test.each(['0', '1', '2', '3', '4', '5'])('has a file for the default avatar of id %s', (id) => {
  expect(existsSync(`web/static${defaultAvatar(id)}`)).toBe(true)
})
