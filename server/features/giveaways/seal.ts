import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Seal {
  seal(text: string): Buffer
  /** Throws if the bytes were sealed with another key or were changed. */
  open(bytes: Buffer): string
}

/** Encrypts prizes and seeds. */
export const createPrizeSeal = (secretKey: Buffer): Seal => createSeal(secretKey, 'giveaway prizes')

/** Encrypts with AES-256-GCM (NIST SP 800-38D) and a key derived by HKDF. Format: nonce, tag, ciphertext. */
export function createSeal(secretKey: Buffer, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(bytes) {
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
      return text.toString('utf8')
    },
  }
}
