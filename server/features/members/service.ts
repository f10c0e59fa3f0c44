// A member is who signed in with Discord. The slug of their page is made once and never changes hands.
export { avatarUrl, displayNameOf } from './avatar.ts'
export { requireAnotherAdmin } from './last-admin.ts'
export { canSeeStats } from './profile.ts'
export { lockAdmin, lockMembers, lockMember, type LockedMember } from './standing.ts'
