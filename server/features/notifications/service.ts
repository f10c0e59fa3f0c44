// The server tells members what happened to what is theirs, in the transaction of the deed; members choose the kinds they
// hear of, but sanctions and what admins send always arrive. What goes to all is one row, and marks of who read it.
export { deleteNotifications, type FindPrizes, listInbox, markRead } from './inbox.ts'
export { type Event, notify } from './notify.ts'
export { deleteOldNotifications } from './retention.ts'
export { sendToMember, sendToAll } from './send.ts'
export { changeSettings, getSettings } from './settings.ts'
export { InboxStreams } from './streams.ts'
