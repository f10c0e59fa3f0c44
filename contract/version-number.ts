import { MAX_VERSION_LENGTH } from './limits.ts'

/** The form in which version numbers are compared: `v1.0.0` and `V1.0.0` are the same. */
const keyOf = (version: string): string => version.trim().normalize('NFKC').toLowerCase()

/** Whether one of these version numbers is the same. */
export function isUsedVersion(version: string, used: readonly string[]): boolean {
  const key = keyOf(version)
  return used.some((each) => keyOf(each) === key)
}

export const describeUsedVersion = (version: string, next: string): string =>
  `Version ${version} is already published. Choose another number, such as ${next}.`

/**
 * The first unused version number after the current one. A version number is free text: its last number counts up, and a
 * text without a number gets `-2`.
 *
 *     nextVersion('1.0.9', []) // '1.0.10'
 *     nextVersion('2026-11-30', []) // '2026-11-31'
 *     nextVersion('beta', ['beta-2']) // 'beta-3'
 */
export function nextVersion(current: string, used: readonly string[]): string {
  const taken = new Set([current, ...used].map(keyOf))
  let version = increment(current)
  while (taken.has(keyOf(version))) version = increment(version)
  return version
}

/** Next version numbers by size of the step, the smallest first. */
export interface VersionSteps {
  patch: string
  /** Only for version numbers of three parts, such as 1.2.3. */
  minor?: string
  major?: string
}

const THREE_PARTS = /^(\D*)(\d+)\.(\d+)\.(\d+)(?!\d)/

export function nextVersions(current: string, used: readonly string[]): VersionSteps {
  const patch = nextVersion(current, used)
  const [, prefix, major = '', minor = ''] = THREE_PARTS.exec(current) ?? []
  if (prefix === undefined) return { patch }
  const first = (version: string) => (isUsedVersion(version, used) ? nextVersion(version, used) : version)
  const steps = {
    patch,
    minor: first(`${prefix}${major}.${addOne(minor)}.0`),
    major: first(`${prefix}${addOne(major)}.0.0`),
  }
  return Object.values(steps).some((version) => version.length > MAX_VERSION_LENGTH) ? { patch } : steps
}

const addOne = (digits: string): string => `${BigInt(digits) + 1n}`.padStart(digits.length, '0')

/** Text that becomes too long loses characters before the number, or else starts again at 1. */
function increment(version: string): string {
  const [, before = '', digits, after = ''] = /^(.*?)(\d+)(\D*)$/su.exec(version) ?? []
  const [start, end] = digits === undefined ? [version, '-2'] : [before, addOne(digits) + after]
  const room = MAX_VERSION_LENGTH - Array.from(end).length
  if (room < 0) return '1'
  return Array.from(start).slice(0, room).join('') + end
}
