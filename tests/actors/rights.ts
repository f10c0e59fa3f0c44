import type { Actor } from './scene.ts'

export type Statuses = Record<Actor, number>

const OK = 200
const UNKNOWN = 401
const REFUSED = 403
const MISSING = 404

/** A banned member's session is dead: they are a visitor. */
const nobody = (status: number) => ({ visitor: status, banned: status })

export const everybody: Statuses = { ...nobody(OK), member: OK, owner: OK, muted: OK, moderator: OK, admin: OK }
export const members: Statuses = { ...everybody, ...nobody(UNKNOWN) }
export const notFoundForAll: Statuses = {
  ...nobody(MISSING),
  member: MISSING,
  owner: MISSING,
  muted: MISSING,
  moderator: MISSING,
  admin: MISSING,
}
/** Members who may write. */
export const writers: Statuses = { ...members, muted: REFUSED }
export const owner: Statuses = { ...writers, member: REFUSED, moderator: REFUSED, admin: REFUSED }
export const moderators: Statuses = { ...members, member: REFUSED, owner: REFUSED, muted: REFUSED }
export const admins: Statuses = { ...moderators, moderator: REFUSED }

/** Success whatever its number; a refusal by its own. */
export const normalizeStatus = (status: number): number => (status >= 200 && status < 300 ? OK : status)
