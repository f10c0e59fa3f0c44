import { describe, expect, test } from 'vitest'
import { MAX_VERSION_LENGTH } from './limits.ts'
import { isUsedVersion, nextVersion, nextVersions } from './version-number.ts'

describe('the next version number', () => {
  test.each([
    ['1.0.0', '1.0.1'],
    ['1.0.9', '1.0.10'],
    ['v2.9', 'v2.10'],
    ['7', '8'],
    ['1.09', '1.10'],
    ['1.0.0-beta.2', '1.0.0-beta.3'],
    ['1.0.0-beta', '1.0.1-beta'],
    ['r12b', 'r13b'],
    ['2026-11-30', '2026-11-31'],
    ['beta', 'beta-2'],
    ['новая', 'новая-2'],
    ['9007199254740993', '9007199254740994'],
    ['a text of many chars', 'a text of many cha-2'],
    ['abcdefghijklmnopqrs9', 'abcdefghijklmnopqr10'],
    ['9'.repeat(20), '1'],
  ])('of %s is %s', (version, next) => {
    const found = nextVersion(version, [])
    expect(found).toBe(next)
    expect(Array.from(found).length).toBeLessThanOrEqual(MAX_VERSION_LENGTH)
  })

  test('is none that is used, in whichever case', () => {
    expect(nextVersion('1.0.0', ['1.0.1', '1.0.2', '2.0.0'])).toBe('1.0.3')
    expect(nextVersion('RC1', ['rc2'])).toBe('RC3')
    expect(nextVersion('beta', ['BETA-2', 'beta-3'])).toBe('beta-4')
  })

  test('can be a patch, minor or major step', () => {
    expect(nextVersions('1.2.3', [])).toEqual({ patch: '1.2.4', minor: '1.3.0', major: '2.0.0' })
    expect(nextVersions('v1.2.3-beta', [])).toEqual({ patch: 'v1.2.4-beta', minor: 'v1.3.0', major: 'v2.0.0' })
    expect(nextVersions('1.2.3', ['1.3.0', '2.0.0'])).toEqual({ patch: '1.2.4', minor: '1.3.1', major: '2.0.1' })
    expect(nextVersions('1.2', [])).toEqual({ patch: '1.3' })
    expect(nextVersions('beta', [])).toEqual({ patch: 'beta-2' })
    expect(nextVersions(`1.${'9'.repeat(16)}.0`, [])).toEqual({ patch: `1.${'9'.repeat(16)}.1` })
  })
})

test('a version number is used if it differs at most in case, width or outer spaces', () => {
  expect(isUsedVersion(' v1.0 ', ['V1.0'])).toBe(true)
  expect(isUsedVersion('１.0', ['1.0'])).toBe(true)
  expect(isUsedVersion('1.0.0', ['1.0', '1.0.00'])).toBe(false)
})
