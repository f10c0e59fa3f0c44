import { SignInError } from './login-failure.ts'

/** A member as Discord describes them, in the form in which we keep them. */
export interface DiscordUser {
  id: string
  username: string
  discriminator: string
  avatar: string | null
  email: string | null
  isEmailVerified: boolean
}

const ID = /^[1-9][0-9]{0,19}$/
const DISCRIMINATOR = /^[0-9]{1,4}$/
const AVATAR = /^(a_)?[0-9a-f]{32}$/
const EMAIL = /^[^\s@\p{C}]{1,100}@[^\s@\p{C}]{1,220}$/u
/** Discord's own limit is 32. */
const MAX_USERNAME = 80
/** Controls, invisible and direction marks, halves of characters, line separators. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\ufffd]/gu

/** Reads what `/users/@me` said. Odd details are left out; without an id and a name it is no member at all. */
export function readDiscordUser(body: unknown): DiscordUser {
  const fields: Record<string, unknown> = body && typeof body === 'object' ? { ...body } : {}
  const id = matching(fields['id'], ID)
  if (id === null || typeof fields['username'] !== 'string') {
    throw new SignInError('discord_unavailable', '/users/@me did not describe a member')
  }
  const email = matching(fields['email'], EMAIL)
  return {
    id,
    username: cleanName(fields['username']),
    discriminator: matching(fields['discriminator'], DISCRIMINATOR) ?? '0',
    avatar: matching(fields['avatar'], AVATAR),
    email,
    isEmailVerified: email !== null && fields['verified'] === true,
  }
}

function matching(value: unknown, form: RegExp): string | null {
  return typeof value === 'string' && value.length <= 400 && form.test(value) ? value : null
}

function cleanName(name: string): string {
  const visible = name
    .slice(0, 10 * MAX_USERNAME)
    .replace(/\s+/gu, ' ')
    .replace(HIDDEN, '')
    .normalize('NFC')
    .trim()
  // The cut may leave half a character.
  return visible.slice(0, MAX_USERNAME).replace(HIDDEN, '').trim() || 'user'
}
