// A member signs in with Discord and in no other way. The database knows tokens only by their SHA-256, and who is calling
// is read with the session on every call.
export { callbackAddress } from './discord.ts'
export { keepMute } from './kept-mutes.ts'
export { removeExpired } from './expiry.ts'
export { endSession, endSessionsOf, openSession, Sessions } from './sessions.ts'
