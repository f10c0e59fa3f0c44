import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

// The form of GitHub's tokens, which secret scanners recognize: a prefix, 30 random characters (178 bits) and a checksum.
const PREFIX = 'sy_'
const RANDOM_CHARACTERS = 30
const CHECKSUM_CHARACTERS = 6
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TOKEN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`)
/** Larger bytes are discarded, so that all characters are equally likely. */
const MAX_BYTE = Math.floor(256 / ALPHABET.length) * ALPHABET.length

export function makeToken(): string {
  let text = ''
  while (text.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      if (byte < MAX_BYTE && text.length < RANDOM_CHARACTERS) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return PREFIX + text + checksumOf(PREFIX + text)
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    checksum = (ALPHABET[rest % ALPHABET.length] ?? '') + checksum
    rest = Math.floor(rest / ALPHABET.length)
  }
  return checksum
}

/** Whether a text is a whole API token, judged by its checksum. */
export function isWellFormed(token: string): boolean {
  return TOKEN.test(token) && token.endsWith(checksumOf(token.slice(0, -CHECKSUM_CHARACTERS)))
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const BEARER = /^Bearer +(\S+) *$/i
/** A session token may start with the same three characters by chance. */
const SESSION_TOKEN_LENGTH = 43

/** The API token in an `Authorization` header, whole or damaged; undefined if it has none. */
export function readApiToken(authorization: string | undefined): string | undefined {
  const token = authorization && authorization.length < 1000 ? BEARER.exec(authorization)?.[1] : undefined
  return token?.startsWith(PREFIX) && token.length !== SESSION_TOKEN_LENGTH ? token : undefined
}
