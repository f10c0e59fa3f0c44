// A member signs in with Discord and in no other way. The database knows tokens only by their SHA-256, and who is calling
// is read with the session on every call.
export { callbackUrl } from './discord.ts'
export { retainMute } from './retained-mutes.ts'
export { deleteExpired } from './expiry.ts'
export { endSession, endSessionsOf, openSession, Sessions } from './sessions.ts'
