import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSeal, UnreadableError } from './seal.ts'

const key = Buffer.alloc(32, 7)
const otherKey = Buffer.alloc(32, 8)

test('opens what it sealed, and seals the same text differently each time', () => {
  const seal = createSeal(key, 'prizes')
  const sealed = seal.seal('KEY-1 ✓')
  expect(seal.open(sealed)).toBe('KEY-1 ✓')
  expect(sealed.includes('KEY-1')).toBe(false)
  expect(seal.seal('KEY-1 ✓').equals(sealed)).toBe(false)
})

test('opens what a retired key sealed, and knows that it is not the current key', () => {
  const old = createSeal(key, 'prizes').seal('KEY-1')
  const seal = createSeal(otherKey, 'prizes', [key])
  expect([seal.open(old), seal.isCurrent(old), seal.isCurrent(seal.seal('KEY-1'))]).toEqual(['KEY-1', false, true])
})

test.each([
  ['the current key', createSeal(key, 'prizes')],
  ['a retired key', createSeal(otherKey, 'prizes', [key])],
])('opens a value without a key id that was sealed with %s', (_name, seal) => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', key, '', 'prizes', 32)), nonce)
  const text = Buffer.concat([cipher.update('KEY-1'), cipher.final()])
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text])
  expect([seal.open(sealed), seal.isCurrent(sealed)]).toEqual(['KEY-1', false])
})

test.each([
  ['another key', createSeal(otherKey, 'prizes')],
  ['another purpose', createSeal(key, 'seeds')],
])('rejects ciphertext sealed with %s', (_name, other) => {
  expect(() => other.open(createSeal(key, 'prizes').seal('KEY-1'))).toThrow(UnreadableError)
})

test('rejects ciphertext with any changed byte, and what is no ciphertext', () => {
  const seal = createSeal(key, 'prizes')
  const sealed = seal.seal('KEY-1')
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => seal.open(changed)).toThrow(UnreadableError)
  }
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(27), sealed.subarray(0, 20)]) {
    expect(() => seal.open(bytes)).toThrow(UnreadableError)
  }
})
