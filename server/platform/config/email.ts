import { domainToASCII } from 'node:url'
import { type Environment, isDecodable, readText, readUrl, SettingError } from './values.ts'

export interface EmailConfig {
  /** smtp: or smtps:, with user and password if the server asks for them. */
  smtpUrl: string
  from: Mailbox
  /** Envelope sender, to which mail servers return what they cannot deliver. */
  bounceAddress: string
  /** Authenticates the program that passes returned emails on; without it none are accepted. */
  bounceSecret?: string
}

export interface Mailbox {
  name: string
  address: string
}

export const EMAIL_SETTINGS = ['SMTP_URL', 'SMTP_FROM', 'SMTP_BOUNCE_ADDRESS', 'SMTP_BOUNCE_SECRET'] as const

/** Undefined if the site sends no email. Throws SettingError, without repeating the URL, which may contain a password. */
export function readEmail(env: Environment): EmailConfig | undefined {
  const smtpUrl = readSmtpUrl(env)
  if (!smtpUrl) {
    const set = EMAIL_SETTINGS.find((name) => readText(env, name) !== undefined)
    if (set) throw new SettingError(set, 'needs SMTP_URL; set that too.')
    return undefined
  }
  const from = readFrom(env)
  const bounceSecret = readText(env, 'SMTP_BOUNCE_SECRET')
  if (bounceSecret !== undefined && !/^[\x21-\x7e]{16,200}$/.test(bounceSecret)) {
    throw new SettingError('SMTP_BOUNCE_SECRET', 'must be 16 to 200 characters without spaces.')
  }
  return {
    smtpUrl,
    from,
    bounceAddress: readBounceAddress(env) ?? from.address,
    ...(bounceSecret && { bounceSecret }),
  }
}

function readSmtpUrl(env: Environment): string | undefined {
  const name = 'SMTP_URL'
  const smtpUrl = readUrl(env, name, ['smtp:', 'smtps:'])
  if (!smtpUrl) return undefined
  const { hostname, pathname, search, hash, username, password } = new URL(smtpUrl)
  const isPlain = hostname !== '' && ['', '/'].includes(pathname) && search === '' && hash === ''
  if (!isPlain || !isDecodable(username + password) || (password !== '' && username === '')) {
    throw new SettingError(
      name,
      'has the wrong form; set it to a URL such as smtp://user:password@mail.example.com:587.',
    )
  }
  return smtpUrl
}

function readFrom(env: Environment): Mailbox {
  const value = readText(env, 'SMTP_FROM')
  if (value === undefined) throw new SettingError('SMTP_FROM', 'must be set together with SMTP_URL.')
  const [, name = '', bracketed] = /^([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>$/u.exec(value) ?? []
  const address = parseAddress(bracketed ?? value)
  if (!address) {
    throw new SettingError('SMTP_FROM', 'must be an email address, such as Scriptyard <mail@example.com>.')
  }
  return { name, address }
}

function readBounceAddress(env: Environment): string | undefined {
  const value = readText(env, 'SMTP_BOUNCE_ADDRESS')
  const address = value && parseAddress(value)
  if (value && !address) throw new SettingError('SMTP_BOUNCE_ADDRESS', 'must be an email address.')
  return address
}

/** In bytes of UTF-8. */
const MAX_LOCAL_LENGTH = 64
const MAX_LENGTH = 254
// The unquoted form (RFC 5322 dot-atom), with the letters and digits of all scripts (RFC 6531).
const LOCAL = /^[\p{L}\p{N}\p{M}\w!#$%&'*+/=?^`{|}~-]+(\.[\p{L}\p{N}\p{M}\w!#$%&'*+/=?^`{|}~-]+)*$/u
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{2,59})$/

/** An email address with its domain in ASCII and lower case; undefined if it is not one that mail servers accept. */
export function parseAddress(raw: string): string | undefined {
  const text = raw.trim().normalize('NFC')
  const separator = text.lastIndexOf('@')
  const local = text.slice(0, separator)
  const domain = domainToASCII(text.slice(separator + 1))
  const isValid =
    separator > 0 && Buffer.byteLength(local) <= MAX_LOCAL_LENGTH && LOCAL.test(local) && DOMAIN.test(domain)
  const address = `${local}@${domain}`
  return isValid && Buffer.byteLength(address) <= MAX_LENGTH ? address : undefined
}

/**
 * The same text for all spellings of an address that reach one mailbox at common providers: letters in other case, a suffix
 * after `+`, and dots, hyphens and underscores. Addresses of different people may share one, too, so it only serves limits.
 */
export function foldAddress(address: string): string {
  const separator = address.lastIndexOf('@')
  const local = address.slice(0, separator).normalize('NFKC').toLowerCase()
  const [base = ''] = local.split('+', 1)
  const domain = address.slice(separator + 1).toLowerCase()
  return `${base.replaceAll(/[._-]/g, '') || local}@${domain === 'googlemail.com' ? 'gmail.com' : domain}`
}
