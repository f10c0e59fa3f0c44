import type { Actor, Scene } from './scene.ts'

export type Statuses = Record<Actor, number>

const OK = 200
const UNAUTHENTICATED = 401
const FORBIDDEN = 403
const MISSING = 404
const INVALID = 400

/** A ban ends all sessions, so a banned member is a visitor. */
const nobody = (status: number) => ({ visitor: status, banned: status })

export const everybody: Statuses = { ...nobody(OK), member: OK, owner: OK, muted: OK, moderator: OK, admin: OK }
export const members: Statuses = { ...everybody, ...nobody(UNAUTHENTICATED) }
const forAll = (status: number): Statuses => ({
  ...nobody(status),
  member: status,
  owner: status,
  muted: status,
  moderator: status,
  admin: status,
})
export const notFoundForAll = forAll(MISSING)
export const invalidForAll = forAll(INVALID)
/** Members who are not muted. */
export const writers: Statuses = { ...members, muted: FORBIDDEN }
export const owner: Statuses = { ...writers, member: FORBIDDEN, moderator: FORBIDDEN, admin: FORBIDDEN }
export const moderators: Statuses = { ...members, member: FORBIDDEN, owner: FORBIDDEN, muted: FORBIDDEN }
export const admins: Statuses = { ...moderators, moderator: FORBIDDEN }

/** Maps every success status to 200. */
export const normalizeStatus = (status: number): number => (status >= 200 && status < 300 ? OK : status)

export interface SampleCall {
  /** Values for the parts of the path. */
  path?: Record<string, string | number>
  query?: Record<string, string | number>
  payload?: object
  file?: Buffer
}

export interface Right {
  expected: Statuses
  call?: (scene: Scene) => SampleCall
}
