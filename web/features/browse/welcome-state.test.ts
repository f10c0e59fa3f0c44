import { afterEach, expect, test, vi } from 'vitest'
import { dismissWelcome, isWelcome } from './welcome-state.ts'

const now = new Date('2026-11-29T12:00:00Z')
const newMember = { id: 7, created_at: '2026-11-25T12:00:00Z' }

function stubStorage(): void {
  const values = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  })
}
afterEach(() => vi.unstubAllGlobals())

test('members are greeted in their first week only', () => {
  stubStorage()
  expect(isWelcome(newMember, now)).toBe(true)
  expect(isWelcome({ ...newMember, created_at: '2026-11-22T12:00:00Z' }, now)).toBe(false)
})

test('a dismissed welcome is not shown again, but another member is greeted', () => {
  stubStorage()
  dismissWelcome(newMember)
  expect(isWelcome(newMember, now)).toBe(false)
  expect(isWelcome({ ...newMember, id: 8 }, now)).toBe(true)
})

test('without storage, nobody is greeted again and again', () => {
  const fail = () => {
    throw new DOMException('Blocked')
  }
  vi.stubGlobal('localStorage', { getItem: fail, setItem: fail })
  expect(isWelcome(newMember, now)).toBe(false)
  expect(() => dismissWelcome(newMember)).not.toThrow()
})
