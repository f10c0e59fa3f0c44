import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 8
/** First bytes of values that name their key. Values from before key ids start with a random nonce. */
const MARK = Buffer.from('SYK1')
const HEADER_BYTES = MARK.length + KEY_ID_BYTES

/** A value that was encrypted with a key that the site does not have, or that was changed. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'

  constructor() {
    super('A sealed value cannot be decrypted with the configured secret keys.')
  }
}

export interface Seal {
  seal(text: string): Buffer
  /** Throws UnreadableError. */
  open(bytes: Buffer): string
  isCurrent(bytes: Buffer): boolean
}

const derive = (secretKey: Buffer, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, bytes))

/** 8 bytes that identify a secret key and reveal nothing about it. */
export const keyIdOf = (secretKey: Buffer): Buffer => derive(secretKey, 'key id', KEY_ID_BYTES)

/** AES-256-GCM (NIST SP 800-38D) with a key by HKDF. Format: mark, key id (both authenticated), nonce, tag, ciphertext. */
export function createSeal(secretKey: Buffer, purpose: string, retired: readonly Buffer[] = []): Seal {
  const keys = [secretKey, ...retired].map((key) => ({ id: keyIdOf(key), key: derive(key, purpose, 32) }))
  const [current] = keys
  if (!current) throw new Error('There is no current key.')
  const header = Buffer.concat([MARK, current.id])
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(header)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed])
    },
    open(bytes) {
      const named = keys.find(({ id }) => id.equals(bytes.subarray(MARK.length, HEADER_BYTES)))
      if (named && bytes.subarray(0, MARK.length).equals(MARK)) {
        return decrypt(named.key, bytes.subarray(HEADER_BYTES), bytes.subarray(0, HEADER_BYTES))
      }
      for (const { key } of keys) {
        try {
          return decrypt(key, bytes)
        } catch (error) {
          if (!(error instanceof UnreadableError)) throw error
        }
      }
      throw new UnreadableError()
    },
    isCurrent: (bytes) => bytes.subarray(0, HEADER_BYTES).equals(header),
  }
}

function decrypt(key: Buffer, bytes: Buffer, header?: Buffer): string {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new UnreadableError()
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
  if (header) decipher.setAAD(header)
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  } catch {
    throw new UnreadableError()
  }
}
