import type { Access } from '#contract/operation.ts'
import { type Actor, ACTORS } from './scene.ts'

export type Statuses = Record<Actor, number>

const OK = 200
const UNAUTHENTICATED = 401
const FORBIDDEN = 403

/** A ban ends all sessions, so a banned member is a visitor. */
const nobody = (status: number) => ({ visitor: status, banned: status })

const everybody: Statuses = { ...nobody(OK), member: OK, owner: OK, muted: OK, moderator: OK, admin: OK }
const members: Statuses = { ...everybody, ...nobody(UNAUTHENTICATED) }
const moderators: Statuses = { ...members, member: FORBIDDEN, owner: FORBIDDEN, muted: FORBIDDEN }

export const BY_ACCESS: Record<Access, Statuses> = {
  public: everybody,
  optionalMember: everybody,
  memberIfKnown: everybody,
  member: members,
  recentlySignedIn: members,
  notMuted: { ...members, muted: FORBIDDEN },
  moderator: moderators,
  admin: { ...moderators, moderator: FORBIDDEN },
}

export const forVisitors = nobody
/** For members who do not own what the request is about. */
export const forOthers = (status: number) => ({ member: status, muted: status, moderator: status, admin: status })
export const forMembers = (status: number) => ({ ...forOthers(status), owner: status })
export const forAll = (status: number): Statuses => ({ ...nobody(status), ...forMembers(status) })

/** Replaces statuses of actors who are admitted. */
export function narrow(statuses: Statuses, except: Partial<Statuses>): Statuses {
  const entries = ACTORS.map((actor) => [actor, statuses[actor] === OK ? (except[actor] ?? OK) : statuses[actor]])
  return Object.fromEntries(entries) as Statuses
}

/** Maps every success status to 200. */
export const normalizeStatus = (status: number): number => (status >= 200 && status < 300 ? OK : status)
