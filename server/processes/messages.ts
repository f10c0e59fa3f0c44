import type { Site } from './prepare.ts'

/** What a worker is told. */
export type ToWorker =
  | { is: 'start'; site: Site; isFirst: boolean }
  /** Another worker wrote to these scripts. */
  | { is: 'changed'; scriptIds: readonly number[] }
  | { is: 'stop' }

/** What a worker says. */
export type FromWorker =
  | { is: 'here' }
  /** Said every few seconds: its event loop turns. */
  | { is: 'alive' }
  | { is: 'listening' }
  | { is: 'failed'; why: string }
  | { is: 'changed'; scriptIds: readonly number[] }

/** Messages of others (Node's own, a watcher's) come over the same channel. */
export function isMessage(given: unknown): given is { is: string } {
  return typeof given === 'object' && given !== null && 'is' in given && typeof given.is === 'string'
}
